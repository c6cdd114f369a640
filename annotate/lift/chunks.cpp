// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/chunks.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;
using Statements = std::vector<Statement>;

namespace {

bool is_independent(const Statement &one) {
  return one.kind == StatementKind::loop && one.loop == LoopKind::independent &&
         spec::is_constant(one.step, 1);
}

/// What the smaller of two numbers is chosen from: `a < b ? a : b`, `min(a, b)`.
std::optional<std::pair<Expr, Expr>> smaller_of(const Expr &expr) {
  if (expr.kind == ExprKind::cast && expr.parts.size() == 1) return smaller_of(expr.parts[0]);
  const bool min = expr.text == "min" || expr.text.ends_with("::min");
  if (expr.kind == ExprKind::call && min && expr.parts.size() == 2)
    return std::pair(expr.parts[0], expr.parts[1]);
  if (expr.kind != ExprKind::select || expr.parts[0].kind != ExprKind::binary) return std::nullopt;
  const Expr &condition = expr.parts[0];
  const bool less = condition.text == "<" || condition.text == "<=",
             greater = condition.text == ">" || condition.text == ">=";
  const auto same = [&](std::size_t part, const Expr &other) {
    return Polynomial::of(condition.parts[part]) == Polynomial::of(other);
  };
  const std::size_t first = less ? 0 : 1;
  if ((!less && !greater) || !same(first, expr.parts[1]) || !same(1 - first, expr.parts[2]))
    return std::nullopt;
  return std::pair(expr.parts[1], expr.parts[2]);
}

bool has_loads(const Expr &expr) {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) { found = found || part.kind == ExprKind::load; });
  return found;
}

/// `a < b` where both say the same of whole numbers: b - a is what is left.
Polynomial left_of(const Expr &condition) {
  return Polynomial::of(condition.parts[1]) - Polynomial::of(condition.parts[0]);
}

void even_out_one(Statement &loop) {
  const auto ends = smaller_of(loop.end);
  if (!ends || has_loads(loop.end)) return;  // the loop may write what is loaded
  const Polynomial begin = Polynomial::of(loop.begin);
  for (const auto &[most, rest] : {*ends, std::pair(ends->second, ends->first)}) {
    const Polynomial count = Polynomial::of(most) - begin;
    const bool even = spec::is_of_parameters(count.expr()),
               all_even = spec::is_of_parameters((Polynomial::of(rest) - begin).expr());
    if (!even || all_even) continue;
    const Polynomial axis = Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type)),
                     place = begin + axis;
    spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
      return part.kind == ExprKind::axis && part.text == loop.name ? std::optional(place.expr())
                                                                   : std::nullopt;
    });
    // the axis stands alone on its side: `first + k < n`, not `k < n - first`
    const Polynomial left = Polynomial::of(rest) - place;
    Polynomial bound, taken;
    for (const auto &[product, times] : left.terms())
      (times > 0 ? bound : taken) = times > 0 ? bound + left.only(product) : taken - left.only(product);
    Statement guard{.kind = StatementKind::branch,
                    .value = spec::binary("<", taken.expr(), bound.expr(), "bool"),
                    .body = std::move(loop.body),
                    .line = loop.line};
    loop.begin = spec::constant(0), loop.end = count.expr();
    loop.body.clear();
    loop.body.push_back(std::move(guard));
    return;
  }
}

/// Whether the condition in the loop holds only where the one over it does: there is as much left, and more.
bool says_the_same(const Expr &over, const Statement &loop) {
  const bool guarded = loop.body.size() == 1 && loop.body[0].kind == StatementKind::branch &&
                       loop.body[0].otherwise.empty() && spec::is_constant(loop.begin, 0);
  if (!guarded || over.kind != ExprKind::binary || over.text != "<") return false;
  return std::ranges::any_of(spec::conjuncts(loop.body[0].value), [&](const Expr &inner) {
    return inner.kind == ExprKind::binary && inner.text == "<" &&
           left_of(over) - left_of(inner) ==
               Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type));
  });
}

/// `if (c) for ... {}` as `for ... if (c) {}`, where the loop changes nothing that `c` tests.
void move_inside(Statement &branch) {
  if (branch.kind != StatementKind::branch || !branch.otherwise.empty() || branch.body.size() != 1) return;
  Statement &loop = branch.body[0];
  if (!is_independent(loop) || !spec::is_of_parameters(loop.end) || has_loads(branch.value)) return;
  Statement outer = std::move(loop);
  if (!says_the_same(branch.value, outer)) {
    Statement guard{.kind = StatementKind::branch,
                    .value = std::move(branch.value),
                    .body = std::move(outer.body),
                    .line = branch.line};
    outer.body.clear();
    outer.body.push_back(std::move(guard));
  }
  branch = std::move(outer);
}

/// Constants before the only loop in another.
void sink_constants(Statement &loop) {
  if (!is_independent(loop) || loop.body.size() < 2 || !is_independent(loop.body.back())) return;
  const bool constants =
      std::ranges::all_of(loop.body.begin(), loop.body.end() - 1, [](const Statement &one) {
        return one.kind == StatementKind::value && spec::is_of_parameters(one.value);
      });
  if (!constants) return;
  Statement inner = std::move(loop.body.back());
  loop.body.pop_back();
  inner.body.insert(inner.body.begin(), std::make_move_iterator(loop.body.begin()),
                    std::make_move_iterator(loop.body.end()));
  loop.body.clear();
  loop.body.push_back(std::move(inner));
}

}  // namespace

void even_out(Statements &body) {
  for (Statement &one : body) {
    even_out(one.body);
    even_out(one.otherwise);
    if (is_independent(one)) even_out_one(one);
  }
}

void even_chunks(Statements &body) {
  for (Statement &one : body) {
    even_chunks(one.body);
    even_chunks(one.otherwise);
    move_inside(one);
    sink_constants(one);
  }
}

}  // namespace cupilot::lift
