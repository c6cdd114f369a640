// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "annotate/spec/lifted_text.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Statement;
using spec::StatementKind;

namespace {

using Definitions = std::map<std::string, Expr>;

Expr with_values(const Expr &expr, const Definitions &values) {
  return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
    const auto found = part.kind == ExprKind::value ? values.find(part.text) : values.end();
    return found == values.end() ? std::nullopt : std::optional(found->second);
  });
}

void conjuncts(const Expr &condition, std::vector<Expr> &list) {
  if (condition.kind == ExprKind::binary && condition.text == "&&") {
    conjuncts(condition.parts[0], list);
    conjuncts(condition.parts[1], list);
  } else {
    list.push_back(condition);
  }
}

void factors(const Expr &product, std::vector<Expr> &list) {
  if (product.kind == ExprKind::binary && product.text == "*") {
    factors(product.parts[0], list);
    factors(product.parts[1], list);
  } else {
    list.push_back(product);
  }
}

bool is_zero(const Expr &expr) {
  return expr.kind == ExprKind::constant && spec::is_identity("+", expr);
}

class Finder {
public:
  explicit Finder(const spec::Lifted &lifted) : nest_(nest_of(lifted.body)) {}
  std::expected<Contraction, Refusal> run();

private:
  std::optional<std::string> find_sum();
  std::optional<std::string> look_inside(const std::vector<Statement> &body, Definitions values);
  std::optional<std::string> share_out();
  std::set<std::string> axes_in(const Expr &expr) const;
  void choose_sides();

  Nest nest_;
  const Statement *loop_ = nullptr;
  std::vector<Expr> factors_, conditions_;
  Contraction found_;
};

std::set<std::string> Finder::axes_in(const Expr &expr) const {
  std::set<std::string> axes;
  for (const Statement *axis : nest_.loops)
    if (spec::mentions(expr, axis->name)) axes.insert(axis->name);
  return axes;
}

/// The total's variable, its loops, and what comes after.
std::optional<std::string> Finder::find_sum() {
  Definitions values;
  for (const Statement &one : *nest_.body) {
    const bool reduces = one.kind == StatementKind::loop && one.loop == LoopKind::reduction;
    if (reduces && loop_ != nullptr) return "an output is more than one sum";
    if (reduces) {
      loop_ = &one;
      continue;
    }
    if (one.kind == StatementKind::value && loop_ == nullptr)
      values[one.name] = with_values(one.value, values);
    found_.epilogue.push_back(one);
  }
  if (loop_ == nullptr) return "an output is no sum";
  const Statement *inner = loop_;
  for (;; inner = &inner->body.front()) {
    if (!spec::is_constant(inner->step, 1)) return "the sum's loop makes larger steps";
    if (!axes_in(inner->begin).empty() || !axes_in(inner->end).empty())
      return "how long the sum is differs between outputs";
    found_.sum.push_back(inner);
    if (inner->body.size() != 1 || inner->body.front().kind != StatementKind::loop) break;
  }
  return look_inside(inner->body, values);
}

/// The product that is summed, and the conditions around it.
std::optional<std::string> Finder::look_inside(const std::vector<Statement> &body, Definitions values) {
  for (const Statement &one : body) {
    if (one.kind == StatementKind::value) {
      values[one.name] = with_values(one.value, values);
    } else if (one.kind == StatementKind::branch && one.otherwise.empty()) {
      conjuncts(with_values(one.value, values), conditions_);
      if (auto reason = look_inside(one.body, values)) return reason;
    } else if (one.kind == StatementKind::fold && one.op == "+" && found_.total.empty()) {
      found_.total = one.name;
      found_.type = one.type;
      Expr value = with_values(one.value, values);
      while (value.kind == ExprKind::select && is_zero(value.parts[2])) {
        conjuncts(value.parts[0], conditions_);
        value = Expr(value.parts[1]);
      }
      factors(value, factors_);
    } else {
      return "the sum's loop does more than add up products";
    }
  }
  return std::nullopt;
}

/// Which factor and which condition is whose.
std::optional<std::string> Finder::share_out() {
  const auto own = [&](const std::set<std::string> &axes, const std::set<std::string> &others) {
    std::set<std::string> rest;
    std::ranges::set_difference(axes, others, std::inserter(rest, rest.end()));
    return rest;
  };
  std::set<std::string> left, right;
  for (const Expr &one : factors_) {
    const std::set<std::string> axes = axes_in(one);
    if (!spec::is_set(found_.left.element)) {
      found_.left.element = one;
      left = axes;
    } else if (!spec::is_set(found_.right.element) && !axes.empty() && axes != left) {
      found_.right.element = one;
      right = axes;
    } else {
      Operand &side = std::ranges::includes(left, axes) ? found_.left : found_.right;
      if (!spec::is_set(side.element) || !std::ranges::includes(&side == &found_.left ? left : right, axes))
        return "a factor belongs to neither operand alone";
      side.element = spec::binary("*", side.element, one, found_.type);
    }
  }
  if (!spec::is_set(found_.right.element)) return "what is summed is no product of two operands";
  for (const Expr &one : conditions_) {
    const std::set<std::string> axes = axes_in(one);
    if (std::ranges::includes(left, axes))
      found_.left.conditions.push_back(one);
    else if (std::ranges::includes(right, axes))
      found_.right.conditions.push_back(one);
    else
      return "a condition belongs to neither operand alone";
  }
  const std::set<std::string> of_left = own(left, right), of_right = own(right, left);
  if (of_left.empty() || of_right.empty()) return "no outputs share an operand";
  for (const Statement *axis : nest_.loops)
    (of_left.contains(axis->name)    ? found_.left.axes
     : of_right.contains(axis->name) ? found_.right.axes
                                     : found_.batch)
        .push_back(axis);
  return std::nullopt;
}

/// The right operand has the axis along which outputs are neighbours, and of each the fastest axis is last.
void Finder::choose_sides() {
  const auto stores = all_accesses(found_.epilogue);
  const auto unit_of = [&](const Operand &side) -> const Statement * {
    for (const Access &one : stores)
      for (const Statement *axis : side.axes)
        if (one.stored && is_unit(one.index, axis->name)) return axis;
    return nullptr;
  };
  if (unit_of(found_.left) != nullptr && unit_of(found_.right) == nullptr)
    std::swap(found_.left, found_.right);
  for (Operand *side : {&found_.left, &found_.right}) {
    if (const Statement *unit = unit_of(*side)) {
      std::erase(side->axes, unit);
      side->axes.push_back(unit);
    }
    bool sum = false, outer = false;
    spec::visit(side->element, [&](const Expr &part) {
      if (part.kind != ExprKind::load) return;
      sum = sum || is_unit(part.parts[0], found_.sum.back()->name);
      outer = outer || is_unit(part.parts[0], side->axes.back()->name);
    });
    side->along_sum = sum && !outer;
  }
}

std::expected<Contraction, Refusal> Finder::run() {
  const int line = nest_.loops.empty() ? 0 : nest_.loops.front()->line;
  if (nest_.loops.size() < 2) return std::unexpected(Refusal{"outputs have fewer than two axes", line});
  if (auto reason = find_sum())
    return std::unexpected(Refusal{*reason, loop_ == nullptr ? line : loop_->line});
  if (found_.total.empty()) return std::unexpected(Refusal{"nothing is summed", line});
  if (auto reason = share_out()) return std::unexpected(Refusal{*reason, loop_->line});
  const auto declared = std::ranges::find_if(found_.epilogue, [&](const Statement &one) {
    return one.kind == StatementKind::variable && one.name == found_.total;
  });
  if (declared == found_.epilogue.end() || !is_zero(declared->value))
    return std::unexpected(Refusal{"the sum does not begin at zero", loop_->line});
  found_.epilogue.erase(declared);
  std::set<std::string> written;
  for (const Access &one : all_accesses(found_.epilogue))
    if (one.stored) written.insert(one.buffer);
  if (written.empty())
    return std::unexpected(Refusal{"the kernel writes nothing that the source shows", line});
  for (const Operand *side : {&found_.left, &found_.right}) {
    bool bad = false;
    spec::visit(side->element, [&](const Expr &part) {
      bad =
          bad || (part.kind == ExprKind::load && written.contains(part.text)) || part.kind == ExprKind::value;
    });
    if (bad) return std::unexpected(Refusal{"an operand is also written", loop_->line});
  }
  choose_sides();
  return found_;
}

}  // namespace

std::expected<Contraction, Refusal> contraction_of(const spec::Lifted &lifted) {
  if (lifted.body.empty()) return std::unexpected(Refusal{lifted.missing.reason, lifted.missing.line});
  return Finder(lifted).run();
}

}  // namespace cupilot::schedule
