// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/contraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"
#include "evolution/schedule/access.h"
#include "evolution/schedule/code.h"
#include "evolution/schedule/frame.h"

namespace cupilot::schedule {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Polynomial;
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
  std::optional<std::string> find_loop(const std::vector<Statement> &body, std::vector<Statement> &epilogue);
  const Statement *loop_in(const std::vector<Statement> &body);
  std::optional<std::string> find_bounds();
  bool is_bound(const Expr &condition);
  std::optional<std::string> add_bound(const Expr &value, bool is_end);
  std::optional<std::string> look_inside(const std::vector<Statement> &body, Definitions values);
  std::optional<std::string> share_out();
  std::set<std::string> axes_in(const Expr &expr) const;
  bool ends_axis(const Expr &condition) const;
  bool ends_at_sizes(const std::string &axis) const;
  static void take_zeros(Operand &side);
  void choose_sides();
  void add_conditions(const Expr &all);
  bool take_declaration(std::vector<Statement> &body);
  static Expr at_end_of(const Expr &value, const Statement &axis, bool last);

  Nest nest_;
  const Statement *loop_ = nullptr;
  std::vector<Expr> factors_, conditions_;
  /// Conditions under which there is a sum, with the variables that are only known there.
  std::vector<std::pair<Expr, std::set<std::string>>> outputs_;
  Definitions values_;
  Contraction found_;
};

void Finder::add_conditions(const Expr &all) {
  std::ranges::move(spec::conjuncts(all), std::back_inserter(conditions_));
}

std::set<std::string> Finder::axes_in(const Expr &expr) const {
  std::set<std::string> axes;
  for (const Statement *axis : nest_.loops)
    if (spec::mentions(expr, axis->name)) axes.insert(axis->name);
  return axes;
}

/// The total's variable, its loops, and what comes after. Whether there is a sum may depend on the output.
std::optional<std::string> Finder::find_loop(const std::vector<Statement> &body,
                                             std::vector<Statement> &epilogue) {
  const auto sums = [](const std::vector<Statement> &list) {
    bool found = false;
    spec::visit_statements(list, [&](const Statement &one) {
      found = found || (one.kind == StatementKind::loop && one.loop == LoopKind::reduction);
    });
    return found;
  };
  for (const Statement &one : body) {
    const bool reduces = one.kind == StatementKind::loop && one.loop == LoopKind::reduction;
    if (loop_ != nullptr && sums({one})) return "an output is more than one sum";
    if (reduces) {
      loop_ = &one;
      continue;
    }
    if (one.kind == StatementKind::branch && sums({one})) {
      const bool first = sums(one.body);
      if (first && sums(one.otherwise)) return "an output is one of two sums";
      const auto &with_sum = first ? one.body : one.otherwise;
      Statement choice = one;
      auto &rest = first ? choice.body : choice.otherwise;
      rest.clear();
      if (auto reason = find_loop(with_sum, rest)) return reason;
      std::set<std::string> own;
      for (const Statement &part : with_sum)
        if (part.kind == StatementKind::variable) own.insert(part.name);
      outputs_.push_back({first ? one.value : spec::negated(one.value), std::move(own)});
      if (!choice.body.empty() || !choice.otherwise.empty()) epilogue.push_back(std::move(choice));
      continue;
    }
    if (one.kind == StatementKind::value && loop_ == nullptr)
      values_[one.name] = with_values(one.value, values_);
    epilogue.push_back(one);
  }
  return std::nullopt;
}

std::optional<std::string> Finder::find_sum() {
  if (auto reason = find_loop(*nest_.body, found_.epilogue)) return reason;
  if (loop_ == nullptr) return "an output is no sum";
  bool differs = false;
  const Statement *inner = loop_;
  for (const Statement *next = loop_; next != nullptr; next = loop_in(inner->body)) {
    inner = next;
    if (!spec::is_constant(inner->step, 1)) return "the sum's loop makes larger steps";
    differs = differs || !axes_in(inner->begin).empty() || !axes_in(inner->end).empty();
    found_.sum.push_back(inner);
  }
  if (differs && found_.sum.size() > 1) return "how long the sum is differs between outputs";
  return look_inside(inner->body, values_);
}

/// The loop that alone is in the statements, perhaps under conditions, which are noted.
const Statement *Finder::loop_in(const std::vector<Statement> &body) {
  const auto loops = [](const Statement &one) {
    bool found = false;
    spec::visit_statements({one},
                           [&](const Statement &part) { found = found || part.kind == StatementKind::loop; });
    return found;
  };
  const auto count = std::ranges::count_if(body, loops);
  if (count != 1) return nullptr;
  const Statement &with = *std::ranges::find_if(body, loops);
  const bool values = std::ranges::all_of(
      body, [&](const Statement &one) { return &one == &with || one.kind == StatementKind::value; });
  const bool choice = with.kind == StatementKind::branch && with.otherwise.empty();
  if (!values || &with != &body.back() || (with.kind != StatementKind::loop && !choice)) return nullptr;
  for (const Statement &one : body)
    if (one.kind == StatementKind::value) values_[one.name] = with_values(one.value, values_);
  if (!choice) return &with;
  add_conditions(with_values(with.value, values_));
  return loop_in(with.body);
}

/// What an axis's name stands for at its first or last place.
Expr Finder::at_end_of(const Expr &value, const Statement &axis, bool last) {
  return at_place(value, axis.name, last ? (Polynomial::of(axis.end) - Polynomial(1)).expr() : axis.begin);
}

/// Notes that terms count from `value` on, or below it.
std::optional<std::string> Finder::add_bound(const Expr &value, bool is_end) {
  const auto names = axes_in(value);
  const auto axis =
      std::ranges::find_if(nest_.loops, [&](const Statement *one) { return names.contains(one->name); });
  const bool steady = names.size() == 1 && is_nondecreasing(value, (*axis)->name);
  bool plain = true;
  spec::visit(value, [&](const Expr &part) {
    plain =
        plain && part.kind != ExprKind::load && part.kind != ExprKind::value && part.kind != ExprKind::call;
  });
  if (!steady || !plain) return "how long the sum is differs between outputs";
  found_.bounds.push_back({value, *axis, false, is_end});
  return std::nullopt;
}

/// A condition that only tells which terms count: `k <= row`.
bool Finder::is_bound(const Expr &condition) {
  if (condition.kind != ExprKind::binary || found_.sum.size() != 1) return false;
  const std::string &k = found_.sum.front()->name;
  const bool mirrored = condition.parts[1].kind == ExprKind::axis && condition.parts[1].text == k;
  const Expr &term = condition.parts[mirrored ? 1 : 0], &value = condition.parts[mirrored ? 0 : 1];
  if (term.kind != ExprKind::axis || term.text != k || axes_in(value).empty()) return false;
  std::string op = condition.text;
  if (mirrored && (op[0] == '<' || op[0] == '>')) op[0] = op[0] == '<' ? '>' : '<';
  const bool is_end = op[0] == '<', open = op == "<=" || op == ">";
  if (op != "<" && op != "<=" && op != ">" && op != ">=") return false;
  const Expr from = open ? (Polynomial::of(value) + Polynomial::of(spec::constant(1))).expr() : value;
  return !add_bound(from, is_end);
}

/// The sum over the terms of all outputs, and which of them count.
std::optional<std::string> Finder::find_bounds() {
  const Statement &loop = *found_.sum.front();
  std::erase_if(conditions_, [&](const Expr &one) { return is_bound(one); });
  Statement whole = loop;
  for (const bool is_end : {false, true}) {
    Expr &limit = is_end ? whole.end : whole.begin;
    if (axes_in(limit).empty()) continue;
    if (auto reason = add_bound(limit, is_end)) return reason;
    limit = at_end_of(limit, *found_.bounds.back().axis, is_end);
  }
  if (found_.bounds.empty()) return std::nullopt;
  found_.own_sum = std::make_shared<const Statement>(std::move(whole));
  found_.sum.front() = found_.own_sum.get();
  return std::nullopt;
}

/// The product that is summed, and the conditions around it.
std::optional<std::string> Finder::look_inside(const std::vector<Statement> &body, Definitions values) {
  for (const Statement &one : body) {
    if (one.kind == StatementKind::value) {
      values[one.name] = with_values(one.value, values);
    } else if (one.kind == StatementKind::branch && one.otherwise.empty()) {
      add_conditions(with_values(one.value, values));
      if (auto reason = look_inside(one.body, values)) return reason;
    } else if (one.kind == StatementKind::fold && one.op == "+" && found_.total.empty()) {
      found_.total = one.name;
      found_.type = one.type;
      Expr value = with_values(one.value, values);
      while (value.kind == ExprKind::select && is_zero(value.parts[2])) {
        add_conditions(value.parts[0]);
        value = Expr(value.parts[1]);
      }
      factors(value, factors_);
    } else {
      return "the sum's loop does more than add up products";
    }
  }
  return std::nullopt;
}

/// `row < rows`, where that is where the axis ends.
bool Finder::ends_axis(const Expr &condition) const {
  return condition.kind == ExprKind::binary && condition.text == "<" &&
         std::ranges::any_of(nest_.loops, [&](const Statement *one) {
           return condition.parts[0].kind == ExprKind::axis && condition.parts[0].text == one->name &&
                  same_index(condition.parts[1], one->end);
         });
}

/// Whether all places of an axis are those of data, not of threads that may have none.
bool Finder::ends_at_sizes(const std::string &axis) const {
  const auto loop =
      std::ranges::find_if(nest_.loops, [&](const Statement *one) { return one->name == axis; });
  bool sizes = true;
  for (const Expr *limit : {&(*loop)->begin, &(*loop)->end})
    spec::visit(*limit, [&](const Expr &part) {
      sizes = sizes && part.text.find('.') == std::string::npos;  // grid.x, block.x
    });
  return sizes;
}

/// `k <= row ? a[...] : 0`: the element, and where it is zero.
void Finder::take_zeros(Operand &side) {
  while (side.element.kind == ExprKind::select && is_zero(side.element.parts[2]) &&
         !has_load(side.element.parts[0])) {
    std::ranges::move(spec::conjuncts(side.element.parts[0]), std::back_inserter(side.zero_unless));
    side.element = Expr(side.element.parts[1]);
  }
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
  take_zeros(found_.left);
  take_zeros(found_.right);
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
  for (const auto &[condition, names] : outputs_)
    for (const Expr &one : spec::conjuncts(with_values(condition, values_))) {
      if (ends_axis(one)) continue;
      const std::set<std::string> axes = axes_in(one);
      if (std::ranges::includes(left, axes))
        found_.left.conditions.push_back(one);
      else if (std::ranges::includes(right, axes))
        found_.right.conditions.push_back(one);
      else if (!std::ranges::all_of(axes, [&](const std::string &axis) { return ends_at_sizes(axis); }))
        return "which outputs are sums depends on both operands' axes";
    }
  if (of_left.empty() || of_right.empty()) return "no outputs share an operand";
  for (const Contraction::Bound &one : found_.bounds)
    if (!of_left.contains(one.axis->name) && !of_right.contains(one.axis->name))
      return "how long the sum is differs between outputs";
  if (!found_.bounds.empty() && (of_left.size() > 1 || of_right.size() > 1))
    return "how long the sum is differs between outputs of several axes";
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
  for (Contraction::Bound &one : found_.bounds)
    one.of_left = std::ranges::find(found_.left.axes, one.axis) != found_.left.axes.end();
}

/// Removes the declaration of the total. What it begins with is added in the end.
bool Finder::take_declaration(std::vector<Statement> &body) {
  for (auto one = body.begin(); one != body.end(); ++one) {
    if (one->kind == StatementKind::variable && one->name == found_.total) {
      const Expr begin = with_values(one->value, values_);
      body.erase(one);
      if (is_zero(begin)) return true;
      if (!spec::is_set(begin)) return false;
      const Expr total{ExprKind::value, found_.total, found_.type, {}};
      spec::replace_all(found_.epilogue, [&](const Expr &part) -> std::optional<Expr> {
        if (part.kind != ExprKind::value || part.text != found_.total) return std::nullopt;
        return spec::binary("+", begin, total, found_.type);
      });
      return true;
    }
    if (take_declaration(one->body) || take_declaration(one->otherwise)) return true;
  }
  return false;
}

std::expected<Contraction, Refusal> Finder::run() {
  const int line = nest_.loops.empty() ? 0 : nest_.loops.front()->line;
  if (nest_.loops.size() < 2) return std::unexpected(Refusal{"outputs have fewer than two axes", line});
  if (auto reason = find_sum())
    return std::unexpected(Refusal{*reason, loop_ == nullptr ? line : loop_->line});
  if (found_.total.empty()) return std::unexpected(Refusal{"nothing is summed", line});
  if (auto reason = find_bounds()) return std::unexpected(Refusal{*reason, loop_->line});
  if (auto reason = share_out()) return std::unexpected(Refusal{*reason, loop_->line});
  for (const auto &[condition, own] : outputs_) {
    if (own.contains(found_.total)) continue;
    const Expr total{ExprKind::value, found_.total, found_.type, {}};
    spec::replace_all(found_.epilogue, [&](const Expr &part) -> std::optional<Expr> {
      if (part.kind != ExprKind::value || part.text != found_.total) return std::nullopt;
      return Expr{ExprKind::select, "", found_.type, {condition, total, spec::constant(0)}};
    });
  }
  if (!take_declaration(found_.epilogue))
    return std::unexpected(Refusal{"what the sum begins with is not known", loop_->line});
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

bool is_nondecreasing(const Expr &value, const std::string &axis) {
  if (!spec::mentions(value, axis) || value.kind == ExprKind::axis) return true;
  if (value.kind == ExprKind::cast) return value.type == "int" && is_nondecreasing(value.parts[0], axis);
  if (value.kind != ExprKind::binary) return false;
  const Expr &left = value.parts[0], &right = value.parts[1];
  const auto a = Polynomial::of(left).value(), b = Polynomial::of(right).value();
  if (value.text == "+") return is_nondecreasing(left, axis) && is_nondecreasing(right, axis);
  if (value.text == "-") return is_nondecreasing(left, axis) && !spec::mentions(right, axis);
  if (value.text == "/") return b && *b > 0 && is_nondecreasing(left, axis);
  return value.text == "*" &&
         ((a && *a >= 0 && is_nondecreasing(right, axis)) || (b && *b >= 0 && is_nondecreasing(left, axis)));
}

Expr at_place(const Expr &value, const std::string &axis, const Expr &place) {
  if (!spec::mentions(value, axis)) return value;
  if (value.kind == ExprKind::axis) return place;
  Expr there = value;
  for (Expr &part : there.parts) part = at_place(part, axis, place);
  if (value.kind == ExprKind::binary && value.text == "/") {
    const auto a = Polynomial::of(there.parts[0]).value(), b = Polynomial::of(there.parts[1]).value();
    return a && b && *b != 0 ? spec::constant(*a / *b) : there;
  }
  return Polynomial::of(there).expr();
}

std::expected<Contraction, Refusal> contraction_of(const spec::Lifted &lifted) {
  if (lifted.body.empty()) return std::unexpected(Refusal{lifted.missing.reason, lifted.missing.line});
  return Finder(lifted).run();
}

}  // namespace cupilot::schedule
