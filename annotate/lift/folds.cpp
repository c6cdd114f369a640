// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

namespace {

bool is_name(const Expr &expr, const std::string &name) {
  return expr.kind == ExprKind::value && expr.text == name;
}

}  // namespace

std::string op_of_call(const std::string &function) {
  for (const char *name : {"fmaxf", "fmax", "max", "std::max", "__hmax", "umax", "llmax"})
    if (function == name) return "max";
  for (const char *name : {"fminf", "fmin", "min", "std::min", "__hmin", "umin", "llmin"})
    if (function == name) return "min";
  if (function == "fmaf" || function == "fma" || function == "__fmaf_rn") return "fma";
  return "";
}

namespace {

bool is_floating(const std::string &type) {
  return type == "float" || type == "double" || type.find("half") != std::string::npos ||
         type.find("bfloat16") != std::string::npos;
}

}  // namespace

std::optional<Fold> fold_of_choice(const std::string &name, const Expr &condition, const Expr &value) {
  if (condition.kind != ExprKind::binary || spec::mentions(value, name)) return std::nullopt;
  // A NaN makes every comparison false, and then the name must stay as it is, which it does here.
  const Expr &left = condition.parts[0], &right = condition.parts[1];
  const bool greater = condition.text == ">" || condition.text == ">=";
  const bool less = condition.text == "<" || condition.text == "<=";
  if (!greater && !less) return std::nullopt;
  if (is_name(right, name) && left == value)
    return Fold{greater ? "max" : "min", value, is_floating(value.type)};
  if (is_name(left, name) && right == value)
    return Fold{greater ? "min" : "max", value, is_floating(value.type)};
  return std::nullopt;
}

std::optional<Fold> fold_of(const std::string &name, const Expr &value, bool finite) {
  static constexpr std::array kOperators{"+", "*", "&", "|", "^"};
  if (value.kind == ExprKind::binary) {
    const Expr &left = value.parts[0], &right = value.parts[1];
    if (value.text == "-" && is_name(left, name) && !spec::mentions(right, name))
      return Fold{"+", {ExprKind::unary, "-", right.type, {right}}};
    if (std::ranges::find(kOperators, value.text) == kOperators.end()) return std::nullopt;
    if (is_name(left, name) && !spec::mentions(right, name)) return Fold{value.text, right};
    if (is_name(right, name) && !spec::mentions(left, name)) return Fold{value.text, left};
    // a + b + acc, as (acc + a) + b
    if (value.text == "+" && left.kind == ExprKind::binary && left.text == "+" &&
        !spec::mentions(right, name))
      if (auto inner = fold_of(name, left); inner && inner->op == "+")
        return Fold{"+", spec::binary("+", inner->value, right, value.type)};
    return std::nullopt;
  }
  if (value.kind == ExprKind::call) {
    const std::string op = op_of_call(value.text);
    if (op == "fma" && value.parts.size() == 3 && is_name(value.parts[2], name) &&
        !spec::mentions(value.parts[0], name) && !spec::mentions(value.parts[1], name))
      return Fold{"+", spec::binary("*", value.parts[0], value.parts[1], value.type)};
    if ((op != "max" && op != "min") || value.parts.size() != 2) return std::nullopt;
    for (int side = 0; side < 2; ++side)
      if (is_name(value.parts[side], name) && !spec::mentions(value.parts[1 - side], name))
        return Fold{op, value.parts[1 - side]};
    return std::nullopt;
  }
  if (value.kind == ExprKind::select && is_name(value.parts[2], name))
    return fold_of_choice(name, value.parts[0], value.parts[1]);
  if (value.kind == ExprKind::select && is_name(value.parts[1], name) &&
      (finite || !is_floating(value.parts[2].type))) {
    Expr swapped = value.parts[0];
    if (swapped.kind != ExprKind::binary) return std::nullopt;
    swapped.text = swapped.text == ">" || swapped.text == ">=" ? "<" : ">";
    return fold_of_choice(name, swapped, value.parts[2]);
  }
  return std::nullopt;
}

namespace {

/// What the body of a loop does to what is outside of it.
class Body {
public:
  explicit Body(const Statement &loop) : loop_(loop) { look(loop.body); }
  LoopOrder order(Iterations how) const;

private:
  void look(const std::vector<Statement> &statements) {
    for (const Statement &one : statements) look(one);
  }
  void look(const Statement &one);
  void reads(const Expr &expr) {
    if (!spec::is_set(expr)) return;
    spec::visit(expr, [&](const Expr &part) {
      if (part.kind == ExprKind::value) ++read_[part.text];
      if (part.kind == ExprKind::load) loads_.push_back({part.text, Polynomial::of(part.parts[0])});
    });
  }
  bool own(const std::string &name) const { return inner_.contains(name); }

  struct Access {
    std::string buffer;
    Polynomial index;
  };
  bool overlaps(const Access &store, const Polynomial &step) const;
  bool meet(const Access &one, const Access &other, const Polynomial &step) const;

  const Statement &loop_;
  std::vector<const Statement *> loops_;
  std::set<std::string> inner_;
  std::map<std::string, Expr> assigned_;  ///< what each is assigned first
  std::map<std::string, std::set<std::string>> folds_;
  std::map<std::string, int> read_;
  std::vector<Access> loads_, stores_;
  bool updates_ = false;
};

void Body::look(const Statement &one) {
  for (const Expr *expr : {&one.value, &one.index, &one.begin, &one.end, &one.step}) reads(*expr);
  switch (one.kind) {
    case StatementKind::loop:
      loops_.push_back(&one);
      [[fallthrough]];
    case StatementKind::value:
    case StatementKind::variable:
      inner_.insert(one.name);
      break;
    case StatementKind::assign:
      assigned_.try_emplace(one.name, one.value);
      break;
    case StatementKind::fold:
      folds_[one.name].insert(one.op);
      break;
    case StatementKind::store:
      stores_.push_back({one.name, Polynomial::of(one.index)});
      break;
    case StatementKind::update:
      updates_ = true;
      break;
    case StatementKind::branch:
      break;
  }
  look(one.body);
  look(one.otherwise);
}

/// How many iterations a loop has, if that is a number.
std::optional<std::int64_t> count_of(const Statement &loop) {
  const auto span = (Polynomial::of(loop.end) - Polynomial::of(loop.begin)).value();
  const auto step = Polynomial::of(loop.step).value();
  return span && step && *step > 0 ? std::optional((std::max<std::int64_t>(*span, 0) + *step - 1) / *step)
                                   : std::nullopt;
}

/// Whether two iterations may write the same element because of a loop inside: `y[i + k]`. Steps that are
/// sizes are taken for as long as what they step over.
bool Body::overlaps(const Access &store, const Polynomial &step) const {
  const auto own = step.value();
  const auto far = [](std::int64_t by, std::int64_t over, std::optional<std::int64_t> times) {
    return times && std::abs(by) >= std::abs(over) * *times;
  };
  return own && std::ranges::any_of(loops_, [&](const Statement *inner) {
           const auto by = store.index.coefficient(inner->name);
           const auto number = by ? by->value() : std::nullopt;
           return number && *number != 0 && !far(*own, *number, count_of(*inner)) &&
                  !far(*number, *own, count_of(loop_));
         });
}

/// Whether one store may write what another one of another iteration writes: `y[i]` and `y[i + 1]`.
bool Body::meet(const Access &one, const Access &other, const Polynomial &step) const {
  if (&one == &other || one.buffer != other.buffer || one.index == other.index) return false;
  const auto apart = (one.index - other.index).value(), by = step.value();
  return apart && by && *apart % *by == 0;
}

/// Whether a counter is in the index as nothing but a factor, if in another type, or as two digits that are
/// all of it: `z / c * c + z % c`; `loaded`: or as where the segment begins that others count in, `begin[z] +
/// i`.
bool counts_whole(const Expr &index, const std::string &counter, bool loaded) {
  std::set<std::string> quotients, remainders;
  bool factor = true;
  spec::visit(index, [&](const Expr &part) {
    const bool plain =
        part.kind == ExprKind::axis || part.kind == ExprKind::cast ||
        (loaded && part.kind == ExprKind::load) ||
        (part.kind == ExprKind::binary && (part.text == "+" || part.text == "-" || part.text == "*"));
    factor = factor && (plain || !spec::mentions(part, counter));
    if (part.kind != ExprKind::binary || (part.text != "/" && part.text != "%")) return;
    if (part.parts[0].kind == ExprKind::axis && part.parts[0].text == counter)
      (part.text == "/" ? quotients : remainders).insert(spec::to_text(part.parts[1]));
  });
  return factor ||
         std::ranges::any_of(quotients, [&](const std::string &by) { return remainders.contains(by); });
}

LoopOrder Body::order(Iterations how) const {
  for (const auto &[name, value] : assigned_) {
    if (own(name)) continue;
    if (fold_of(name, value, true))
      return {LoopKind::ordered,
              fmt::format("'{}' takes NaN over and loses it again: write fmax or fmin, or promise "
                          "assume(finite(...)) of what is read",
                          name)};
    return {LoopKind::ordered, fmt::format("'{}' goes on from one iteration to the next", name)};
  }
  bool folds = false;
  for (const auto &[name, ops] : folds_) {
    if (own(name)) continue;
    folds = true;
    if (ops.size() > 1 || read_.contains(name))
      return {LoopKind::ordered, fmt::format("'{}' is used at every step while it is folded", name)};
  }
  for (const Access &store : stores_) {
    const auto step = store.index.coefficient(loop_.name);
    if (!store.index.mentions(loop_.name) || (step && step->is_zero()))
      return {LoopKind::ordered,
              fmt::format("every iteration writes the same element of '{}'", store.buffer)};
    const bool inner =
        std::ranges::any_of(inner_, [&](const std::string &name) { return store.index.mentions(name); });
    const bool whole = how == Iterations::threads
                           ? inner
                           : counts_whole(store.index.expr(), loop_.name, how == Iterations::known && inner);
    const bool meets = step && how == Iterations::in_turn &&
                       (overlaps(store, *step) || std::ranges::any_of(stores_, [&](const Access &other) {
                          return meet(store, other, *step);
                        }));
    if ((!step && !whole) || meets)
      return {LoopKind::ordered, fmt::format("iterations may write the same element of '{}'", store.buffer)};
    for (const Access &load : loads_)
      if (load.buffer == store.buffer && !(load.index == store.index))
        return {LoopKind::ordered,
                fmt::format("iterations read elements of '{}' that others write", store.buffer)};
  }
  return {folds ? LoopKind::reduction : LoopKind::independent, ""};
}

}  // namespace

namespace {

bool defines(const Statement &one) {
  return one.kind == StatementKind::value || one.kind == StatementKind::variable;
}

/// What a name was defined as in the list, with names written out that `name` has gone into; `gone` are those
/// names.
Expr through_names(const Expr &value, const std::vector<Statement> &body, std::size_t before,
                   const std::string &name, std::set<std::string> &gone) {
  return spec::replace(value, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::value || part.text == name) return std::nullopt;
    for (std::size_t i = 0; i < before; ++i) {
      if (!defines(body[i]) || body[i].name != part.text) continue;
      std::set<std::string> inner;
      Expr own = through_names(body[i].value, body, i, name, inner);
      if (!spec::mentions(own, name)) return std::nullopt;
      gone.merge(inner);
      gone.insert(part.text);
      return own;
    }
    return std::nullopt;
  });
}

/// The statement at `at`, which ends a chain of definitions that `name` goes through, as a fold.
std::optional<Statement> fold_at(const std::vector<Statement> &body, std::size_t at,
                                 std::set<std::string> &gone) {
  const Statement &end = body[at];
  if (end.kind != StatementKind::assign) return std::nullopt;
  const auto fold = fold_of(end.name, through_names(end.value, body, at, end.name, gone));
  if (!fold || gone.empty()) return std::nullopt;
  bool apart = true;
  std::set<std::string> changed;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Statement &one = body[i];
    if (i == at) continue;
    if (defines(one) && gone.contains(one.name)) {
      apart = apart && one.type == end.type;
      continue;
    }
    spec::visit(one, [&](const Expr &part) {
      apart = apart && !(part.kind == ExprKind::value && (gone.contains(part.text) || part.text == end.name));
    });
    spec::visit_statements({one}, [&](const Statement &inner) {
      if (inner.kind == StatementKind::fold || inner.kind == StatementKind::assign)
        changed.insert(inner.name);
      apart = apart && !(inner.kind == StatementKind::fold && inner.name == end.name) &&
              !(inner.kind == StatementKind::assign && inner.name == end.name);
    });
  }
  spec::visit(fold->value, [&](const Expr &part) {
    apart =
        apart && !(part.kind == ExprKind::value && (changed.contains(part.text) || part.text == end.name));
    apart = apart && part.kind != ExprKind::load;
  });
  if (!apart) return std::nullopt;
  Statement joined = end;
  joined.kind = StatementKind::fold;
  joined.op = fold->op;
  joined.value = fold->value;
  joined.keeps_nan = fold->keeps_nan;
  return joined;
}

}  // namespace

void join_steps(std::vector<Statement> &body) {
  for (std::size_t at = 0; at < body.size(); ++at) {
    std::set<std::string> gone;
    auto joined = fold_at(body, at, gone);
    if (!joined) continue;
    body[at] = std::move(*joined);
    at -= std::erase_if(body, [&](const Statement &one) { return defines(one) && gone.contains(one.name); });
  }
}

LoopOrder order_of(const Statement &loop, Iterations how) {
  return Body(loop).order(how);
}

}  // namespace cupilot::lift
