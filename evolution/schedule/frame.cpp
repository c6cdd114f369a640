// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "annotate/support/names.h"
#include "annotate/support/text.h"
#include "evolution/schedule/code.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

std::string declaration_text(const spec::Parameter &parameter, const std::string &name) {
  const bool apart = !name.empty() && !parameter.type.ends_with('*');
  return parameter.type + (apart ? " " : "") + name;
}

std::string parameter_list(const spec::KernelSpec &spec) {
  std::vector<std::string> parts;
  for (const spec::Parameter &one : spec.parameters) parts.push_back(declaration_text(one, one.name));
  return join(parts, ", ");
}

std::string argument_list(const spec::KernelSpec &spec) {
  std::vector<std::string> parts;
  for (const spec::Parameter &one : spec.parameters) parts.push_back(one.name);
  return join(parts, ", ");
}

std::vector<spec::Parameter> with_launch_sizes(const spec::KernelSpec &spec) {
  std::vector<spec::Parameter> all = spec.parameters;
  std::set<std::string> sizes;
  for (const Statement &one : spec.lifted.body)
    spec::visit(one, [&](const Expr &part) {
      if (part.kind == ExprKind::parameter && part.text.find('.') != std::string::npos)
        sizes.insert(part.text);
    });
  for (const std::string &size : sizes) all.push_back({.name = size, .type = "int"});
  return all;
}

std::string device_parameters(const spec::KernelSpec &spec) {
  std::vector<std::string> parts;
  for (const spec::Parameter &one : with_launch_sizes(spec)) parts.push_back(declaration_text(one, one.name));
  return join(parts, ", ");
}

std::string device_arguments(const spec::KernelSpec &spec) {
  std::string text;
  for (const spec::Parameter &one : with_launch_sizes(spec)) {
    const bool size = one.name.find('.') != std::string::npos;
    text += (text.empty() ? "" : ", ") + (size ? "static_cast<int>($l." + one.name + ")" : one.name);
  }
  return text;
}

const spec::Parameter *find_parameter(const spec::KernelSpec &spec, std::string_view name) {
  const auto found = std::ranges::find(spec.parameters, name, &spec::Parameter::name);
  return found == spec.parameters.end() ? nullptr : &*found;
}

namespace {

std::string text_in_64_bits(const Expr &expr, bool host) {
  return spec::to_text(expr, [&](const Expr &part) -> std::optional<std::string> {
    const bool launch = part.text.starts_with("grid.") || part.text.starts_with("block.");
    if (host && part.kind == ExprKind::parameter && launch) return "$l." + part.text;
    if (part.kind != ExprKind::binary || part.text != "*") return std::nullopt;
    const std::string right = text_in_64_bits(part.parts[1], host);
    const bool word = part.parts[1].kind != ExprKind::binary && part.parts[1].kind != ExprKind::select;
    const bool chain = part.parts[0].kind == ExprKind::binary && part.parts[0].text == "*";
    const std::string left = text_in_64_bits(part.parts[0], host);
    return (chain ? left : "static_cast<long long>(" + left + ")") + " * " +
           (word ? right : "(" + right + ")");
  });
}

}  // namespace

std::string host_text(const Expr &expr) {
  return text_in_64_bits(expr, true);
}

std::string long_text(const Expr &expr) {
  return text_in_64_bits(expr, false);
}

namespace {

/// An index is largest where every axis is: their coefficients are extents, which are not negative.
std::optional<Polynomial> largest(Polynomial index, const std::map<std::string, Polynomial> &last) {
  // Inner axes may end at outer ones, so once for each axis is not enough.
  for (std::size_t round = 0; round <= last.size(); ++round)
    for (const auto &[axis, value] : last) {
      if (!index.mentions(axis)) continue;
      const auto by = index.coefficient(axis);
      if (!by) return std::nullopt;
      for (const auto &[product, count] : by->terms())
        if (count < 0) return std::nullopt;
      index = index.without(axis) + *by * value;
    }
  for (const auto &[axis, value] : last)
    if (index.mentions(axis)) return std::nullopt;
  for (const auto &[product, count] : index.terms())
    for (const std::string &factor : product)
      if (!std::ranges::all_of(factor, [](char c) { return is_name_character(c) || c == '.'; }))
        return std::nullopt;
  return index;
}

struct Extents {
  std::string_view buffer;
  std::map<std::string, Polynomial> last{};
  std::vector<Polynomial> found{};
  bool known = true;

  void note(const Expr &index) {
    const auto most = largest(Polynomial::of(index), last);
    if (!most)
      known = false;
    else if (const Polynomial end = *most + Polynomial(1); std::ranges::find(found, end) == found.end())
      found.push_back(end);
  }
  void look(const Expr &expr) {
    if (!spec::is_set(expr)) return;
    spec::visit(expr, [&](const Expr &part) {
      if (part.kind == ExprKind::load && part.text == buffer) note(part.parts[0]);
    });
  }
  void look(const std::vector<Statement> &statements) {
    for (const Statement &one : statements) {
      for (const Expr *expr : {&one.value, &one.index, &one.begin, &one.end, &one.step}) look(*expr);
      const bool writes = one.kind == StatementKind::store || one.kind == StatementKind::update;
      if (writes && one.name == buffer) note(one.index);
      if (one.kind == StatementKind::loop) last[one.name] = Polynomial::of(one.end) - Polynomial(1);
      look(one.body);
      look(one.otherwise);
    }
  }
};

}  // namespace

std::optional<Polynomial> touched_elements(const spec::Lifted &lifted, std::string_view buffer) {
  Extents extents{.buffer = buffer};
  extents.look(lifted.body);
  if (!extents.known || extents.found.empty()) return std::nullopt;
  // Of several extents a bound of all: of every product as much as any of them has.
  Polynomial bound = extents.found.front();
  for (const Polynomial &one : extents.found) {
    Polynomial rest = one - bound;
    for (const auto &[product, count] : rest.terms())
      if (count > 0) bound = bound + rest.only(product);
  }
  return bound;
}

namespace {

/// What of parameters alone the form divides by.
std::set<std::string> divisors(const spec::Lifted &lifted) {
  std::set<std::string> found;
  const auto look = [&](const Expr &expr) {
    const bool division = expr.kind == ExprKind::binary && (expr.text == "/" || expr.text == "%") &&
                          expr.type != "float" && expr.type != "double";
    if (!division) return;
    bool host = expr.parts[1].kind != ExprKind::constant;
    spec::visit(expr.parts[1], [&](const Expr &part) {
      host = host && (part.kind == ExprKind::parameter || part.kind == ExprKind::constant ||
                      part.kind == ExprKind::binary || part.kind == ExprKind::cast);
    });
    if (host) found.insert(host_text(expr.parts[1]));
  };
  for (const Statement &one : lifted.body) spec::visit(one, look);
  for (const spec::Need &need : lifted.needs) spec::visit(need.condition, look);
  return found;
}

}  // namespace

std::optional<std::string> declared_elements(const spec::KernelSpec &spec, const std::string &buffer) {
  std::optional<std::string> extent;
  for (const spec::Workload &workload : spec.workloads)
    for (const spec::BufferUse &use : workload.buffers) {
      if (use.parameter != buffer) continue;
      if (extent && *extent != use.extent) return std::nullopt;
      extent = use.extent;
    }
  if (!extent) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < extent->size();) {
    std::size_t end = i;
    while (end < extent->size() && is_name_character((*extent)[end])) ++end;
    if (end == i) {
      text += (*extent)[i++];
      continue;
    }
    const std::string word = extent->substr(i, end - i);
    const bool number = word[0] >= '0' && word[0] <= '9';
    const spec::Parameter *parameter = find_parameter(spec, word);
    if (!number && (parameter == nullptr || parameter->pointer)) return std::nullopt;
    text += number ? word : "static_cast<long long>(" + word + ")";
    i = end;
  }
  return text;
}

std::optional<std::string> extent_text(const spec::KernelSpec &spec, const std::string &buffer) {
  if (auto declared = declared_elements(spec, buffer)) return declared;
  const auto touched = touched_elements(spec.lifted, buffer);
  return touched ? std::optional(host_text(touched->expr())) : std::nullopt;
}

std::expected<std::string, Refusal> launch_checks(const spec::KernelSpec &spec) {
  std::string text;
  for (const std::string &divisor : divisors(spec.lifted))
    text += fmt::format("if ({} == 0) return false;\n", divisor);
  std::string said;
  for (const spec::Need &need : spec.lifted.needs) {
    if (need.why != said) text += fmt::format("// {}\n", said = need.why);
    text += fmt::format("if ({}) return false;\n", host_text(spec::negated(need.condition)));
  }
  if (!spec.lifted.wide.empty()) text += "// the kernel itself accesses several elements at once\n";
  for (const spec::Wide &one : spec.lifted.wide)
    text +=
        fmt::format("if (!$l.aligned({0} * sizeof(*{1}), {1})) return false;\n", one.elements, one.buffer);
  for (const spec::Apart &pair : spec.lifted.apart) {
    std::string sides;
    for (const std::string &name : {pair.read, pair.written}) {
      const auto elements = extent_text(spec, name);
      const spec::Parameter *parameter = find_parameter(spec, name);
      if (!elements || parameter == nullptr)
        return refuse(
            fmt::format("'{}' and '{}' may overlap (neither is __restrict__), and how much of '{}' "
                        "the kernel touches does not follow from its sizes",
                        pair.read, pair.written, name));
      sides += fmt::format("{}{}, static_cast<size_t>({}) * {}", sides.empty() ? "" : ", ", name, *elements,
                           parameter->element_bytes);
    }
    text += fmt::format("if (!$l.disjoint({})) return false;\n", sides);
  }
  return text;
}

std::string knob_lines(const std::vector<model::Knob> &knobs) {
  std::string text;
  for (const model::Knob &knob : knobs) {
    text += fmt::format("constexpr int {} = {};  // knob:", knob.name, knob.value);
    for (const long long value : knob.values) text += fmt::format(" {}", value);
    text += '\n';
  }
  return text;
}

namespace {

/// "grid.x" as the name of an argument.
std::string with_size_names(std::string code) {
  for (const char *object : {"grid", "block"})
    for (const char axis : {'x', 'y', 'z'}) {
      const std::string size = fmt::format("{}.{}", object, axis), name = fmt::format("${}_{}", object, axis);
      for (std::size_t at = code.find(size); at != std::string::npos;
           at = code.find(size, at + name.size())) {
        const bool word = at > 0 && (is_name_character(code[at - 1]) || code[at - 1] == '.');
        if (!word) code.replace(at, size.size(), name);
      }
    }
  return code;
}

}  // namespace

Outcome variant_of(const spec::KernelSpec &spec, std::string summary, std::vector<model::Knob> knobs,
                   const std::string &code, const std::string &body) {
  auto checks = launch_checks(spec);
  if (!checks) return std::unexpected(std::move(checks).error());
  const std::string text = fmt::format(
      "// cupilot variant of {}: {}\n{}\n{}\nbool launch(const cupilot::Launch &$l, {}) {{\n{}  return "
      "true;\n}}\n",
      spec.qualified_name, summary, knob_lines(knobs), argument_text(code) + with_size_names(code),
      parameter_list(spec), indented(*checks + body, 2));
  return Written{wrapped(with_fresh_names(text, spec)), std::move(knobs), std::move(summary)};
}

namespace {

/// Where a line that is too long may be broken: after the last of these before the limit.
std::size_t break_of(const std::string &line, std::size_t least, std::size_t limit) {
  std::size_t best = std::string::npos;
  for (const char *end : {", ", " && ", " || ", " + ", " * ", " ? ", " : ", "(", " = "}) {
    const std::size_t length = std::char_traits<char>::length(end);
    const std::size_t at = line.rfind(end, limit - length);
    if (at != std::string::npos && at + length > least && (best == std::string::npos || at + length > best))
      best = at + length;
    if (best != std::string::npos && end[0] == ',') return best;
  }
  return best;
}

}  // namespace

std::string wrapped(const std::string &text) {
  constexpr std::size_t kColumns = 110, kFurther = 4;
  std::string out;
  for (std::string line : split_lines(text)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool code = indent < line.size() && line[indent] != '#' && line.compare(indent, 2, "//") != 0 &&
                      line.find('"') == std::string::npos;
    while (code && line.size() > kColumns) {
      const std::size_t at = break_of(line, indent + kFurther + 8, kColumns);
      if (at == std::string::npos || line.find("//") < at) break;
      std::string first = line.substr(0, at);
      while (first.ends_with(' ')) first.pop_back();
      out += first + "\n";
      line = std::string(indent + kFurther, ' ') + line.substr(at);
    }
    out += line + "\n";
  }
  return out;
}

std::string indented(const std::string &text, int columns) {
  std::string out;
  for (const std::string &line : split_lines(text))
    out += (line.empty() ? "" : std::string(static_cast<std::size_t>(columns), ' ') + line) + "\n";
  return out;
}

std::string with_fresh_names(const std::string &text, const spec::KernelSpec &spec) {
  std::set<std::string> used;
  for (const spec::Parameter &one : spec.parameters) used.insert(one.name);
  spec::visit_statements(spec.lifted.body, [&](const Statement &one) { used.insert(one.name); });
  for (const Statement &one : spec.lifted.body)
    spec::visit(one, [&](const Expr &part) {
      if (part.kind == ExprKind::call) used.insert(part.text);
    });
  std::map<std::string, std::string> names;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    while (end < text.size() && is_name_character(text[end])) ++end;
    const auto [name, fresh] =
        names.try_emplace(text.substr(i + 1, end - i - 1), text.substr(i + 1, end - i - 1));
    while (fresh && !used.insert(name->second).second) name->second += "_";
    out += name->second;
    i = end;
  }
  return out;
}

}  // namespace cupilot::schedule
