// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/reductions.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "annotate/lift/folds.h"
#include "annotate/spec/lifted_fields.h"
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

/// `axis < bound`, however it is written.
struct UpperBound {
  Polynomial low, high;  ///< low < high
};
std::optional<UpperBound> bound_of(const Expr &condition) {
  if (condition.kind != ExprKind::binary) return std::nullopt;
  const bool less = condition.text == "<", greater = condition.text == ">";
  if (!less && !greater) return std::nullopt;
  return UpperBound{Polynomial::of(condition.parts[less ? 0 : 1]),
                    Polynomial::of(condition.parts[less ? 1 : 0])};
}

/// Whether `end` is `bound` rounded up to a multiple of a constant.
bool rounds_up(const Polynomial &end, const Polynomial &bound) {
  if (end.terms().size() != 1) return false;
  const auto &[product, tile] = *end.terms().begin();
  if (product.size() != 1 || tile < 1) return false;
  const auto once = end.divided_by(Polynomial(tile));
  const Expr quotient = once ? once->expr() : Expr{};
  return quotient.kind == ExprKind::binary && quotient.text == "/" &&
         Polynomial::of(quotient.parts[1]).value() == tile &&
         Polynomial::of(quotient.parts[0]) == bound + Polynomial(tile - 1);
}

/// In a loop that only folds, a choice that is used once is written where it is used: its conditions may be
/// the loop's bounds.
void write_choices(Statements &body) {
  const bool folds = std::ranges::all_of(body, [](const Statement &one) {
    return one.kind == StatementKind::value || one.kind == StatementKind::fold;
  });
  if (!folds) return;
  for (std::size_t i = body.size(); i-- > 0;) {
    const Statement one = body[i];
    if (one.kind != StatementKind::value || one.value.kind != ExprKind::select || one.value.type != one.type)
      continue;
    int uses = 0;
    const bool changes = std::ranges::any_of(body, [&](const Statement &other) {
      return other.kind == StatementKind::fold && spec::mentions(one.value, other.name);
    });
    if (changes) continue;
    for (const Statement &other : body)
      spec::visit(other,
                  [&](const Expr &part) { uses += part.kind == ExprKind::value && part.text == one.name; });
    if (uses != 1) continue;
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
    spec::replace_all(body, [&](const Expr &part) -> std::optional<Expr> {
      const bool own = part.kind == ExprKind::value && part.text == one.name;
      return own ? std::optional(one.value) : std::nullopt;
    });
  }
}

class Bounder {
public:
  explicit Bounder(std::vector<spec::Need> &needs) : needs_(needs) {}
  void run(Statements &statements) {
    for (std::size_t i = 0; i < statements.size(); ++i)
      if (always(statements[i])) {
        Statements within = std::move(statements[i].body);
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
        statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i),
                          std::make_move_iterator(within.begin()), std::make_move_iterator(within.end()));
        --i;
      }
    for (Statement &one : statements) {
      if (one.kind == StatementKind::fold) fold(one);
      if (one.kind == StatementKind::store) one.value = chosen(one.value);
      if (one.kind == StatementKind::loop) {
        loops_.push_back(&one);
        write_choices(one.body);
      }
      run(one.body);
      if (one.kind == StatementKind::loop) loops_.pop_back();
      run(one.otherwise);
    }
  }

private:
  bool implied(const Expr &condition) const {
    const auto bound = bound_of(condition);
    return bound && std::ranges::any_of(loops_, [&](const Statement *loop) {
             return bound->low == Polynomial::symbol(spec::named(ExprKind::axis, loop->name, loop->type)) &&
                    bound->high == Polynomial::of(loop->end);
           });
  }
  /// Whether a branch is always taken, without the conditions of it that the loops around imply.
  bool always(Statement &branch) const {
    if (branch.kind != StatementKind::branch || !branch.otherwise.empty()) return false;
    std::vector<Expr> rest = spec::conjuncts(branch.value);
    const auto implied_ones = std::erase_if(rest, [&](const Expr &one) { return implied(one); });
    if (rest.empty()) return true;
    if (implied_ones > 0) branch.value = spec::conjunction(rest);
    return false;
  }
  /// The value without choices that the loops around have made.
  Expr chosen(const Expr &value) const {
    return spec::replace(value, [&](const Expr &part) -> std::optional<Expr> {
      if (part.kind != ExprKind::select) return std::nullopt;
      const auto conditions = spec::conjuncts(part.parts[0]);
      const bool always =
          std::ranges::all_of(conditions, [&](const Expr &condition) { return implied(condition); });
      return always ? std::optional(chosen(part.parts[1])) : std::nullopt;
    });
  }
  /// Takes over a bound of the innermost loop, if nothing but the fold is in it.
  bool taken(const Expr &condition) {
    const auto bound = bound_of(condition);
    if (!bound || loops_.empty() || loops_.back()->body.size() != 1) return false;
    Statement &loop = *loops_.back();
    if (!(bound->low == Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type))) ||
        loop.loop != LoopKind::reduction || bound->high.mentions(loop.name))
      return false;
    const Polynomial end = Polynomial::of(loop.end);
    const bool exact = rounds_up(end, bound->high);
    if (!exact && (!spec::is_of_parameters(loop.end) || !spec::is_of_parameters(bound->high.expr())))
      return false;
    if (!exact)
      needs_.push_back({spec::binary(">=", loop.end, bound->high.expr(), "bool"), "no element is left out"});
    loop.end = bound->high.expr();
    return true;
  }
  /// The expression where all conditions hold; the others are kept.
  Expr without(const Expr &value, const std::string &op) {
    if (value.kind == ExprKind::binary && value.text == "*" && op == "+") {
      Expr product = value;
      for (Expr &factor : product.parts) factor = without(factor, op);
      return product;
    }
    if (value.kind != ExprKind::select || !is_neutral(op, value.parts[2])) return value;
    std::vector<Expr> kept;
    for (const Expr &condition : spec::conjuncts(value.parts[0]))
      if (!implied(condition) && !taken(condition)) kept.push_back(condition);
    if (kept.empty()) return without(value.parts[1], op);
    Expr rest = value;
    rest.parts[0] = spec::conjunction(kept);
    return rest;
  }
  static bool is_neutral(const std::string &op, const Expr &value) {
    if (op != "max" && op != "min") return spec::is_identity(op, value);
    const std::string text = spec::to_text(value);
    return text == (op == "max" ? "-INFINITY" : "INFINITY");
  }
  void fold(Statement &one) { one.value = without(one.value, one.op); }

  std::vector<spec::Need> &needs_;
  std::vector<Statement *> loops_;
};

/// The variable, the loops that fold into it, and the update that takes it.
bool is_total(const Statements &body, const std::string &axis) {
  if (body.size() < 2 || body.front().kind != StatementKind::variable ||
      body.back().kind != StatementKind::update)
    return false;
  const Statement &total = body.front(), &update = body.back();
  const bool itself = update.value.kind == ExprKind::value && update.value.text == total.name;
  if (!itself && (update.op != "+" || scaled_variable(update.value) != total.name)) return false;
  if (spec::mentions(update.index, axis)) return false;
  if (!spec::is_identity(update.op, total.value) || update.op == "max" || update.op == "min") return false;
  bool plain = true;
  for (std::size_t i = 1; i + 1 < body.size(); ++i)
    plain = plain && (body[i].kind == StatementKind::loop || body[i].kind == StatementKind::value ||
                      body[i].kind == StatementKind::fold || body[i].kind == StatementKind::branch);
  spec::visit_statements(body, [&](const Statement &one) {
    const bool folds = one.kind == StatementKind::fold && one.name == total.name && one.op != update.op;
    plain = plain && !folds && one.kind != StatementKind::store && one.kind != StatementKind::assign;
  });
  return plain;
}

/// `sum = 0; for t: { sum += e(t); ... carry + sum ... }; total = 0; for t: total += e(t); carry += total`,
/// or the total first. Of an exclusive scan `sum += e(t)` is the last.
void join_scan(Statement &loop, int threads) {
  Statements &body = loop.body;
  if (loop.kind != StatementKind::loop || loop.loop != LoopKind::ordered || body.size() != 5) return;
  const bool total_first = body[1].kind == StatementKind::loop && body[1].loop == LoopKind::reduction;
  const Statement &sum = body[total_first ? 2 : 0], &scan = body[total_first ? 3 : 1],
                  &total = body[total_first ? 0 : 2], &whole = body[total_first ? 1 : 3], &carry = body[4];
  if (sum.kind != StatementKind::variable || scan.kind != StatementKind::loop || scan.body.empty() ||
      total.kind != StatementKind::variable || whole.kind != StatementKind::loop || whole.body.size() != 1 ||
      carry.kind != StatementKind::fold)
    return;
  const bool exclusive = scan.body[0].kind != StatementKind::fold;
  const Statement &each = exclusive ? scan.body.back() : scan.body[0], &all = whole.body[0];
  const bool folds = each.kind == StatementKind::fold && each.name == sum.name &&
                     all.kind == StatementKind::fold && all.name == total.name && each.op == all.op &&
                     each.op == carry.op && each.type == carry.type && !each.keeps_nan && !all.keeps_nan;
  if (!folds || !spec::is_identity(each.op, sum.value) || !spec::is_identity(each.op, total.value) ||
      !(carry.value == spec::named(ExprKind::value, total.name, total.type)))
    return;
  const Expr same = spec::replace(all.value, [&](const Expr &part) -> std::optional<Expr> {
    const bool own = part.kind == ExprKind::axis && part.text == whole.name;
    return own ? std::optional(spec::named(ExprKind::axis, scan.name, part.type)) : std::nullopt;
  });
  if (!(same == each.value) || !(scan.begin == whole.begin) || !(scan.end == whole.end)) return;
  Statement joined = scan;
  const auto fold = exclusive ? joined.body.end() - 1 : joined.body.begin();
  fold->name = carry.name;
  if (joined.end == spec::named(ExprKind::parameter, "block.x", joined.end.type))
    joined.end = spec::constant(threads);
  const auto is = [](const Expr &expr, const std::string &name) {
    return expr.kind == ExprKind::value && expr.text == name;
  };
  Statements rest = joined.body;
  rest.erase(rest.begin() + (fold - joined.body.begin()));
  const std::string both = "\1";  // no name, so that what is left of the two shows
  spec::replace_all(rest, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::binary || part.text != each.op) return std::nullopt;
    for (int side = 0; side < 2; ++side)
      if (is(part.parts[side], carry.name) && is(part.parts[1 - side], sum.name))
        return spec::named(ExprKind::value, both, part.type);
    return std::nullopt;
  });
  bool left = false;
  spec::visit_statements(rest, [&](const Statement &one) {
    left = left || (one.kind == StatementKind::fold && one.name == carry.name);
  });
  for (const Statement &one : rest)
    spec::visit(one, [&](const Expr &part) { left = left || is(part, sum.name) || is(part, carry.name); });
  if (left) return;
  spec::replace_all(rest, [&](const Expr &part) -> std::optional<Expr> {
    return is(part, both) ? std::optional(spec::named(ExprKind::value, carry.name, carry.type))
                          : std::nullopt;
  });
  std::ranges::move(rest, joined.body.begin() + !exclusive);
  body = {std::move(joined)};
}

/// What the axis stays below where the condition holds, in whichever order it is written: `i < n`,
/// `n - 1 - i >= 0`.
std::optional<Polynomial> end_where(const Expr &condition, const Polynomial &axis) {
  const bool inclusive = condition.text == ">=" || condition.text == "<=";
  if (condition.kind != ExprKind::binary || (!inclusive && condition.text != "<" && condition.text != ">"))
    return std::nullopt;
  const bool less = condition.text.starts_with("<");
  const Polynomial left = Polynomial::of(condition.parts[less ? 1 : 0]) -
                          Polynomial::of(condition.parts[less ? 0 : 1]) + Polynomial(inclusive ? 1 : 0);
  Polynomial end = left + axis;
  return end.mentions(spec::to_text(axis.expr())) ? std::nullopt : std::optional(std::move(end));
}

void bound_scan(Statement &loop) {
  if (loop.kind != StatementKind::loop || loop.loop != LoopKind::ordered || loop.body.empty()) return;
  const bool exclusive = loop.body[0].kind != StatementKind::fold;
  const std::size_t at = exclusive ? loop.body.size() - 1 : 0;
  Statement &fold = loop.body[at];
  if (fold.kind != StatementKind::fold || fold.value.kind != ExprKind::select ||
      !spec::is_identity(fold.op, fold.value.parts[2]))
    return;
  const Polynomial axis = Polynomial::symbol(spec::named(ExprKind::axis, loop.name, loop.type));
  std::vector<Expr> conditions = spec::conjuncts(fold.value.parts[0]);
  std::optional<Polynomial> end;
  const auto bounding = std::ranges::find_if(conditions, [&](const Expr &one) {
    end = end_where(one, axis);
    return end && rounds_up(Polynomial::of(loop.end), *end);
  });
  if (bounding == conditions.end() || !end) return;
  const Expr condition = *bounding;
  conditions.erase(bounding);
  Statements body;
  for (std::size_t i = 0; i < loop.body.size(); ++i) {
    if (i == at) continue;
    Statement one = loop.body[i];
    if (one.kind != StatementKind::branch || !one.otherwise.empty()) return;
    std::vector<Expr> rest = spec::conjuncts(one.value);
    if (std::erase(rest, condition) == 0) return;
    if (rest.empty()) {
      body.insert(body.end(), one.body.begin(), one.body.end());
      continue;
    }
    one.value = spec::conjunction(rest);
    body.push_back(std::move(one));
  }
  if (conditions.empty())
    fold.value = Expr(fold.value.parts[1]);
  else
    fold.value.parts[0] = spec::conjunction(conditions);
  body.insert(exclusive ? body.end() : body.begin(), fold);
  loop.end = end->expr();
  loop.body = std::move(body);
}

}  // namespace

std::string scaled_variable(const Expr &expr) {
  if (expr.kind == ExprKind::value) return expr.text;
  if (expr.kind != ExprKind::binary || (expr.text != "/" && expr.text != "*")) return "";
  if (expr.type != "float" && expr.type != "double") return "";
  const auto steady = [](const Expr &factor) {
    bool same = true;
    spec::visit(factor, [&](const Expr &part) {
      same = same && (part.kind == ExprKind::constant || part.kind == ExprKind::parameter ||
                      part.kind == ExprKind::cast || part.kind == ExprKind::binary);
    });
    return same;
  };
  if (steady(expr.parts[1])) return scaled_variable(expr.parts[0]);
  return expr.text == "*" && steady(expr.parts[0]) ? scaled_variable(expr.parts[1]) : "";
}

void bound_folds(Statements &body, std::vector<spec::Need> &needs) {
  Bounder(needs).run(body);
}

void join_scans(Statements &body, int threads) {
  for (Statement &one : body) {
    join_scans(one.body, threads);
    join_scans(one.otherwise, threads);
    join_scan(one, threads);
  }
}

void bound_scans(Statements &body) {
  for (Statement &one : body) {
    bound_scans(one.body);
    bound_scans(one.otherwise);
    bound_scan(one);
  }
}

void join_totals(Statements &body, std::set<std::string> &names) {
  for (std::size_t i = 0; i < body.size(); ++i) {
    join_totals(body[i].body, names);
    Statement &loop = body[i];
    if (loop.kind != StatementKind::loop || loop.loop != LoopKind::independent) continue;
    if (loop.body.size() == 1 && loop.body[0].kind == StatementKind::update &&
        !spec::mentions(loop.body[0].index, loop.name)) {
      // Every iteration adds a value of its own: as if it were the total of nothing else.
      const Statement update = loop.body[0];
      const auto neutral = spec::identity_of(update.op, update.type);
      bool gathered = false;
      spec::visit(update.index,
                  [&](const Expr &part) { gathered = gathered || part.kind == ExprKind::load; });
      if (!neutral || gathered || update.op == "max" || update.op == "min") continue;
      std::string name = update.name + "_total";
      while (!names.insert(name).second) name += "_";
      loop.body = {{.kind = StatementKind::variable,
                    .name = name,
                    .type = update.type,
                    .value = {ExprKind::constant, *neutral, update.type, {}},
                    .line = update.line},
                   {.kind = StatementKind::fold,
                    .name = name,
                    .type = update.type,
                    .op = update.op,
                    .value = update.value,
                    .line = update.line},
                   update};
      loop.body.back().value = spec::named(ExprKind::value, name, update.type);
    }
    if (!is_total(loop.body, loop.name)) continue;
    Statement total = std::move(loop.body.front()), update = std::move(loop.body.back());
    loop.body.erase(loop.body.begin());
    loop.body.pop_back();
    loop.loop = order_of(loop).kind;
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(i), std::move(total));
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(i) + 2, std::move(update));
    i += 2;
  }
}

}  // namespace cupilot::lift
