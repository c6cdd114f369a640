// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "annotate/directive/expression.h"
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

bool same_index(const Expr &a, const Expr &b) {
  return Polynomial::of(a) == Polynomial::of(b);
}
bool is_unit(const Expr &index, std::string_view axis) {
  const auto by = pitch_of(index, axis);
  return by && by->value() == 1;
}
std::optional<Polynomial> pitch_of(const Expr &index, std::string_view axis) {
  return Polynomial::of(index).coefficient(axis);
}

bool asks_for_launch(const Expr &expr) {
  bool found = false;
  if (spec::is_set(expr))
    spec::visit(expr, [&](const Expr &part) {
      found = found || (part.kind == ExprKind::parameter && part.text.find('.') != std::string::npos);
    });
  return found;
}
bool asks_for_launch(const std::vector<Statement> &body) {
  bool found = false;
  for (const Statement &one : body)
    spec::visit(one, [&](const Expr &part) {
      found = found || (part.kind == ExprKind::parameter && part.text.find('.') != std::string::npos);
    });
  return found;
}

Expr extent_of(const Statement &loop) {
  return (Polynomial::of(loop.end) - Polynomial::of(loop.begin)).expr();
}

std::string divisible_text(const Expr &expr) {
  const bool word = expr.kind == ExprKind::parameter || expr.kind == ExprKind::constant;
  return fmt::format(fmt::runtime(word ? "{} % kVector == 0" : "({}) % kVector == 0"), host_text(expr));
}

std::string unpack_text(const std::vector<const Statement *> &axes, const std::string &from) {
  std::string text;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const Statement &axis = *axes[i];
    const std::string begin = spec::is_constant(axis.begin, 0) ? "" : " + " + spec::to_text(axis.begin);
    if (i == 0) {
      text += fmt::format("const int {} = static_cast<int>({}){};\n", axis.name, from, begin);
      break;
    }
    text += fmt::format("const int {0} = static_cast<int>({3} % ({1})){2};\n{3} /= {1};\n", axis.name,
                        spec::to_text(extent_of(axis)), begin, from);
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
    if (asks_for_launch(axis->begin)) return "where an axis begins depends on the size of the launch";
    if (axis != axes.front() && asks_for_launch(axis->end))
      return "the extent of an axis depends on the size of the launch";
  }
  return std::nullopt;
}

Expr count_of(const std::vector<const Statement *> &axes) {
  Polynomial count(1);
  for (const Statement *axis : axes) count = count * Polynomial::of(extent_of(*axis));
  return count.expr();
}

Values typical_values(const spec::KernelSpec &spec) {
  const spec::Workload *most = nullptr;
  for (const spec::Workload &one : spec.workloads)
    if (!one.check && !one.holdout && (most == nullptr || one.weight > most->weight)) most = &one;
  Values values;
  if (most == nullptr) return values;
  directive::Scope scope;
  for (const spec::Assignment &one : most->set)
    if (const auto value = directive::evaluate_expression(one.expression, scope))
      values[one.name] = scope[one.name] = *value;
  for (std::size_t i = 0; i < most->launch.grid.size(); ++i) {
    const std::string axis(1, "xyz"[i]);
    if (const auto value = directive::evaluate_integer(most->launch.grid[i], scope))
      values["grid." + axis] = *value;
    if (const auto value = directive::evaluate_integer(most->launch.block[i], scope))
      values["block." + axis] = *value;
  }
  return values;
}

}  // namespace cupilot::schedule
