// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/directive/kernel_clauses.h"
#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// With `certain`, only the operands that are always evaluated.
void loads_of(const Expr &expr, bool certain, std::vector<Access> &found) {
  if (!spec::is_set(expr)) return;
  const bool choice = expr.kind == ExprKind::select ||
                      (expr.kind == ExprKind::binary && (expr.text == "&&" || expr.text == "||"));
  if (certain && choice) return loads_of(expr.parts[0], certain, found);
  for (const Expr &part : expr.parts) loads_of(part, certain, found);
  if (expr.kind == ExprKind::load) found.push_back({expr.text, expr.type, expr.parts[0], false});
}

void accesses_of(const std::vector<Statement> &body, bool certain, std::vector<Access> &found) {
  for (const Statement &one : body) {
    for (const Expr *expr : {&one.begin, &one.end, &one.step, &one.value, &one.index})
      loads_of(*expr, certain, found);
    if (one.kind == StatementKind::store || one.kind == StatementKind::update)
      found.push_back({one.name, one.type, one.index, true});
    if (certain) continue;
    accesses_of(one.body, certain, found);
    accesses_of(one.otherwise, certain, found);
  }
}

}  // namespace

std::vector<Access> certain_accesses(const std::vector<Statement> &body) {
  std::vector<Access> found;
  accesses_of(body, true, found);
  return found;
}
std::vector<Access> all_accesses(const std::vector<Statement> &body) {
  std::vector<Access> found;
  accesses_of(body, false, found);
  return found;
}

namespace {

/// Whether both buffers have the same number of elements, as it is written, in every workload.
bool as_long(const spec::KernelSpec &spec, const std::string &one, const std::string &other) {
  return std::ranges::all_of(spec.workloads, [&](const spec::Workload &workload) {
    const auto a = std::ranges::find(workload.buffers, one, &spec::BufferUse::parameter),
               b = std::ranges::find(workload.buffers, other, &spec::BufferUse::parameter);
    return a != workload.buffers.end() && b != workload.buffers.end() && a->extent == b->extent;
  });
}

}  // namespace

std::vector<Access> harmless_accesses(const spec::KernelSpec &spec, const std::vector<Statement> &body) {
  const std::vector<Access> certain = certain_accesses(body);
  std::vector<Access> harmless = certain;
  for (const Access &one : all_accesses(body)) {
    const auto same = [&](const Access &other) {
      return other.buffer == one.buffer && same_index(other.index, one.index);
    };
    const bool inside = std::ranges::any_of(certain, [&](const Access &other) {
      return same_index(other.index, one.index) && as_long(spec, other.buffer, one.buffer);
    });
    if (!one.stored && inside && std::ranges::none_of(harmless, same)) harmless.push_back(one);
  }
  return harmless;
}

bool has_load(const Expr &expr) {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) { found = found || part.kind == ExprKind::load; });
  return found;
}

bool has_load(const std::vector<Statement> &body) {
  return std::ranges::any_of(all_accesses(body), [](const Access &one) { return !one.stored; });
}

bool same_index(const Expr &a, const Expr &b) {
  return Polynomial::of(a) == Polynomial::of(b);
}
bool is_unit(const Expr &index, std::string_view axis) {
  const auto by = pitch_of(index, axis);
  return by && by->value() == 1;
}
bool are_neighbours(const Expr &index, std::string_view axis) {
  const auto by = pitch_of(index, axis);
  return by && (by->value() == 1 || by->value() == -1);
}
std::optional<Polynomial> pitch_of(const Expr &index, std::string_view axis) {
  return Polynomial::of(index).coefficient(axis);
}

Expr extent_of(const Statement &loop) {
  if (spec::is_constant(loop.begin, 0)) return loop.end;
  return (Polynomial::of(loop.end) - Polynomial::of(loop.begin)).expr();
}

std::string divisible_text(const Expr &expr) {
  const bool word = expr.kind == ExprKind::parameter || expr.kind == ExprKind::constant;
  return fmt::format(fmt::runtime(word ? "{} % kVector == 0" : "({}) % kVector == 0"), host_text(expr));
}

std::string either_start(const std::string &condition, const std::string &first, const std::string &other) {
  if (condition.empty()) return first;
  return fmt::format("if ({}) {{\n{}}} else {{\n{}}}\n", condition, indented(first, 2), indented(other, 2));
}

bool is_multiple(const spec::KernelSpec &spec, const Expr &expr, long long of) {
  const auto divides = [&](const spec::Need &need, const Polynomial &term) {
    const Expr &all = need.condition;
    if (all.text != "==" || all.parts.size() != 2 || !spec::is_constant(all.parts[1], 0)) return false;
    const Expr &rest = all.parts[0];
    if (rest.kind != ExprKind::binary || rest.text != "%") return false;
    const auto by = Polynomial::of(rest.parts[1]).value();
    const Polynomial known = Polynomial::of(rest.parts[0]);
    return by && *by % of == 0 && known.terms().size() == 1 && term.divided_by(known);
  };
  const Polynomial value = Polynomial::of(expr);
  return std::ranges::all_of(value.terms(), [&](const auto &term) {
    return term.second % of == 0 || std::ranges::any_of(spec.lifted.needs, [&](const spec::Need &need) {
             return divides(need, value.only(term.first));
           });
  });
}

bool begins_at_multiple(const spec::KernelSpec &spec, std::string_view buffer, long long of) {
  const auto known = std::ranges::find(spec.lifted.wide, buffer, &spec::Wide::buffer);
  return known != spec.lifted.wide.end() && known->elements % of == 0;
}

std::string factor_text(const Expr &expr) {
  const std::string text = spec::to_text(expr);
  return expr.parts.empty() ? text : "(" + text + ")";
}

std::string unpack_text(const std::vector<const Statement *> &axes, const std::string &from, bool cast) {
  std::string text;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Statement &axis = *axes[i];
    const Expr extent = extent_of(axis);
    const std::string begin = spec::is_constant(axis.begin, 0) ? "" : " + " + spec::to_text(axis.begin);
    const std::string value = i == 0 ? from : from + " % " + factor_text(extent);
    text += fmt::format(
        fmt::runtime(cast ? "const int {} = static_cast<int>({}){};\n" : "const int {} = {}{};\n"), axis.name,
        value, begin);
    if (i > 0) text += fmt::format("{} /= {};\n", from, spec::to_text(extent));
  }
  return text;
}

std::optional<std::string> unsuitable_axes(const std::vector<const Statement *> &axes) {
  for (const Statement *axis : axes) {
    if (!spec::is_constant(axis->step, 1)) return "its elements are not next to each other";
    for (const Statement *other : axes)
      if (spec::mentions(axis->end, other->name) || spec::mentions(axis->begin, other->name))
        return "the extent of one axis depends on another";
    bool loads = false;
    for (const Expr *expr : {&axis->begin, &axis->end})
      spec::visit(*expr, [&](const Expr &part) { loads = loads || part.kind == ExprKind::load; });
    if (loads) return "the extent of an axis is in device memory";
  }
  return std::nullopt;
}

Expr count_of(const std::vector<const Statement *> &axes) {
  Expr count = spec::constant(1);
  for (const Statement *axis : axes)
    count = axis == axes.front() ? extent_of(*axis) : spec::binary("*", count, extent_of(*axis), "int");
  return count;
}

std::optional<std::int64_t> only_value(const spec::KernelSpec &spec, const std::string &parameter) {
  std::optional<std::int64_t> only;
  for (const spec::Workload &one : spec.workloads) {
    const directive::Scope scope = directive::values_of(one);
    const auto found = scope.find(parameter);
    const std::int64_t *value = found == scope.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
    if (value == nullptr || (only && *only != *value)) return std::nullopt;
    only = *value;
  }
  return only;
}

FixedSizes fixed_sizes(const spec::KernelSpec &spec, const std::vector<const Statement *> &loops) {
  constexpr std::int64_t kMost = 32;
  std::set<std::string> names;
  for (const Statement *loop : loops)
    spec::visit(loop->end, [&](const Expr &part) {
      if (part.kind == ExprKind::parameter) names.insert(part.text);
    });
  FixedSizes fixed;
  for (const std::string &name : names)
    if (const auto value = only_value(spec, name); value && *value > 0 && *value <= kMost)
      fixed.emplace_back(name, *value);
  return fixed;
}

std::string parameters_without(const spec::KernelSpec &spec, const FixedSizes &fixed) {
  std::string text;
  for (const spec::Parameter &one : with_launch_sizes(spec)) {
    const bool constant =
        std::ranges::any_of(fixed, [&](const auto &pair) { return pair.first == one.name; });
    text += (text.empty() ? "" : ", ") + declaration_text(one, constant ? "" : one.name);
  }
  return text;
}

std::string fixed_constants(const FixedSizes &fixed) {
  std::string text;
  for (const auto &[name, value] : fixed) text += fmt::format("const int {} = {};\n", name, value);
  return text;
}

std::string fixed_checks(const FixedSizes &fixed) {
  std::string text;
  for (const auto &[name, value] : fixed)
    text += fmt::format("if ({} != {}) return false;  // the compiler unrolls for this size\n", name, value);
  return text;
}

Values values_of(const spec::Workload &workload) {
  const directive::Scope scope = directive::values_of(workload);
  Values values(scope.begin(), scope.end());
  for (std::size_t i = 0; i < workload.launch.grid.size(); ++i) {
    const std::string axis(1, "xyz"[i]);
    if (const auto value = directive::evaluate_integer(workload.launch.grid[i], scope))
      values["grid." + axis] = *value;
    if (const auto value = directive::evaluate_integer(workload.launch.block[i], scope))
      values["block." + axis] = *value;
  }
  return values;
}

Values typical_values(const spec::KernelSpec &spec) {
  const spec::Workload *most = nullptr;
  for (const spec::Workload &one : spec.workloads)
    if (!one.check && !one.holdout && (most == nullptr || one.weight > most->weight)) most = &one;
  return most == nullptr ? Values() : values_of(*most);
}

}  // namespace cupilot::schedule
