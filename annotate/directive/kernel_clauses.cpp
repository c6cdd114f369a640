// SPDX-License-Identifier: Apache-2.0

#include "annotate/directive/kernel_clauses.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "annotate/directive/clause_table.h"
#include "annotate/directive/data_assumption.h"
#include "annotate/directive/operators.h"
#include "annotate/support/text.h"

namespace cupilot::directive {
namespace {

/// Whether a guard can compare arguments of this type at a launch. The runtime passes only the bytes of an
/// argument, so the arithmetic of a class is unknown.
bool can_be_compared(const spec::Parameter &parameter) {
  return parameter.element != spec::ElementType::opaque && parameter.element != spec::ElementType::f16 &&
         parameter.element != spec::ElementType::bf16;
}

class ClauseResolver {
public:
  ClauseResolver(const KernelFacts &kernel, std::vector<Diagnostic> &diagnostics)
      : kernel_(kernel), diagnostics_(diagnostics) {}

  KernelClauses run(const OptimizeDirective &directive) {
    KernelClauses clauses;
    clauses.deterministic = directive.deterministic;
    clauses.precision = precision(directive.precision);
    for (const PlacedText &text : directive.assumptions)
      if (is_sound(text)) clauses.assumptions.push_back({text.text(), text.place()});
    return clauses;
  }

private:
  void complain(const SourcePlace &place, std::string message, std::string remedy) {
    diagnostics_.push_back({Severity::error, place, std::move(message), "", std::move(remedy)});
  }

  spec::Precision precision(const PrecisionEntry &entry) {
    spec::Precision made{entry.kind};
    if (entry.kind != spec::PrecisionKind::relaxed || entry.arguments.size() != 2) return made;
    const auto relative = bound(entry.arguments[0], "relative");
    const auto absolute = bound(entry.arguments[1], "absolute");
    if (!relative || !absolute) return {};
    if (*relative == 0 && *absolute == 0) {
      complain(entry.kind_text.place(), "relaxed(0, 0) allows no rounding at all",
               "write precision(same) for the original's own accuracy");
      return {};
    }
    made.relative = *relative;
    made.absolute = *absolute;
    return made;
  }

  /// An allowed deviation, which is the same for every workload.
  std::optional<double> bound(const PlacedText &text, const std::string &which) {
    const auto value = evaluate_expression(text.text(), Scope());
    const std::string what = "the " + which + " deviation of relaxed";
    if (!value) {
      complain(text.place_at(value.error().offset), what + ": " + value.error().message,
               "it is a constant, like relaxed(1e-2, 1e-5)");
      return std::nullopt;
    }
    const double number = as_double(*value);
    if (number >= 0 && std::isfinite(number)) return number;
    complain(text.place(), what + " is negative: " + text.text(),
             "write how far |got - exact| may be from absolute + relative * |exact|");
    return std::nullopt;
  }

  const spec::Parameter *parameter(std::string_view name) const {
    const auto found = std::ranges::find(kernel_.parameters, name, &spec::Parameter::name);
    return found == kernel_.parameters.end() ? nullptr : &*found;
  }

  bool is_sound_of_data(const PlacedText &text, const DataAssumption &said) {
    const spec::Parameter *p = parameter(said.parameter);
    if (p && p->pointer && spec::is_floating(p->element)) return true;
    const SourcePlace place = text.place_at(said.offset);
    if (!p)
      complain(place, in_quotes(said.parameter) + " is not a parameter of " + in_quotes(kernel_.name),
               did_you_mean(said.parameter, buffer_names()));
    else
      complain(place, in_quotes(said.parameter) + " is no buffer of floating-point numbers",
               "a scalar is compared: assume(alpha > 0)");
    return false;
  }

  bool is_sound(const PlacedText &text) {
    const auto of_data = read_data_assumption(text.text());
    if (!of_data) {
      complain(text.place(), of_data.error().message,
               "like assume(finite(x)) or assume(range(x, -1e4, 1e4))");
      return false;
    }
    if (*of_data) return is_sound_of_data(text, **of_data);
    const auto condition = parse_expression(text.text());
    if (!condition) {
      complain(text.place_at(condition.error().offset), condition.error().message,
               "write a condition over the kernel's scalar parameters, like assume(n % 4 == 0)");
      return false;
    }
    const auto names = names_of(*condition);
    if (names.empty()) {
      complain(text.place(), in_quotes(text.text()) + " is a constant and assumes nothing",
               "write a condition over the kernel's scalar parameters" + examples());
      return false;
    }
    bool known = true;
    for (const std::string &name : names)
      known = is_known(name, text.place_at(offset_of(*condition, name).value_or(0))) && known;
    return known;
  }

  bool is_known(const std::string &name, const SourcePlace &place) {
    const spec::Parameter *p = parameter(name);
    if (p && !p->pointer && can_be_compared(*p)) return true;
    if (!p)
      complain(place, in_quotes(name) + " is not a parameter of " + in_quotes(kernel_.name),
               did_you_mean(name, scalar_names()));
    else if (p->pointer)
      complain(place, in_quotes(name) + " is a pointer, which an assumption cannot be about",
               "the variant's own test can decline what it does not take: l.aligned(16, " + name + ")");
    else
      complain(place, in_quotes(name) + " of type " + in_quotes(p->type) + " cannot be compared at a launch",
               "assume something of integers, float or double");
    return false;
  }

  /// Where the expression mentions the name first.
  static std::optional<std::size_t> offset_of(const Expression &expression, const std::string &name) {
    if (expression.kind == Expression::Kind::name && expression.name == name) return expression.offset;
    for (const Expression &operand : expression.operands)
      if (const auto offset = offset_of(operand, name)) return offset;
    return std::nullopt;
  }

  std::vector<std::string> scalar_names() const {
    std::vector<std::string> names;
    for (const spec::Parameter &p : kernel_.parameters)
      if (!p.pointer && can_be_compared(p)) names.push_back(p.name);
    return names;
  }
  std::vector<std::string> buffer_names() const {
    std::vector<std::string> names;
    for (const spec::Parameter &p : kernel_.parameters)
      if (p.pointer && spec::is_floating(p.element)) names.push_back(p.name);
    return names;
  }
  std::string examples() const {
    const auto names = scalar_names();
    return names.empty() ? "" : ", like " + names.front() + " > 0";
  }

  const KernelFacts &kernel_;
  std::vector<Diagnostic> &diagnostics_;
};

std::string text_of(const Value &value) {
  if (const auto *integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  std::string text = std::to_string(std::get<double>(value));
  while (text.ends_with('0') && !text.ends_with(".0")) text.pop_back();
  return text;
}

/// The values of the names in the condition: "n = 3, m = 4".
std::string values_text(const std::string &expression, const Scope &scope) {
  std::string text;
  for (const std::string &name : names_in_expression(expression))
    if (const auto found = scope.find(name); found != scope.end())
      text += (text.empty() ? "" : ", ") + name + " = " + text_of(found->second);
  return text;
}

std::string described(const spec::Workload &workload) {
  return "workload " + in_quotes(workload.id) + " (" +
         std::filesystem::path(workload.place.file).filename().string() + ":" +
         std::to_string(workload.place.line) + ")";
}

/// Whether the workload's own data keep the promise. Data of a normal distribution are brought into the
/// range.
bool keeps(const spec::Workload &workload, const DataAssumption &said) {
  for (const spec::BufferUse &use : workload.buffers) {
    if (use.parameter != said.parameter || !said.ranged) continue;
    const spec::Fill &fill = use.fill;
    if (fill.kind == spec::FillKind::uniform) return fill.a >= said.low && fill.b <= said.high;
    if (fill.kind == spec::FillKind::zeros) return said.low <= 0 && said.high >= 0;
  }
  return true;
}

}  // namespace

KernelClauses resolve_optimize(const OptimizeDirective &directive, const KernelFacts &kernel,
                               std::vector<Diagnostic> &diagnostics) {
  return ClauseResolver(kernel, diagnostics).run(directive);
}

Scope values_of(const spec::Workload &workload) {
  Scope scope;
  for (const spec::Assignment &item : workload.set)
    if (const auto value = evaluate_expression(item.expression, scope)) scope[item.name] = *value;
  return scope;
}

void check_assumptions(const std::vector<spec::Assumption> &assumptions,
                       const std::vector<spec::Workload> &workloads, std::vector<Diagnostic> &diagnostics) {
  for (const spec::Assumption &assumption : assumptions)
    for (const spec::Workload &workload : workloads) {
      if (const auto of_data = data_assumption(assumption.expression)) {
        if (!keeps(workload, *of_data))
          diagnostics.push_back({Severity::error, assumption.place,
                                 described(workload) + " fills '" + of_data->parameter +
                                     "' with other values than " + in_quotes(assumption.expression) +
                                     " promises",
                                 "", "change the fill, or promise only what holds at every launch"});
        continue;
      }
      const Scope scope = values_of(workload);
      const auto value = evaluate_expression(assumption.expression, scope);
      if (value && truth(*value)) continue;
      const std::string what = "the assumption " + in_quotes(assumption.expression);
      const std::string broken =
          value ? described(workload) + " breaks " + what + ": " + values_text(assumption.expression, scope)
                : what + " cannot be evaluated for " + described(workload) + ": " + value.error().message;
      diagnostics.push_back({Severity::error, assumption.place, broken, "",
                             "change the workload, or assume only what holds at every launch"});
    }
}

}  // namespace cupilot::directive
