// SPDX-License-Identifier: Apache-2.0
//
// Statements that every thread executes for itself. What threads do together is in lifter_team.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "annotate/lift/folds.h"
#include "annotate/lift/lifter.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Storage;
using rewrite::Type;
using spec::Expr;
using spec::ExprKind;
using spec::Statement;
using spec::StatementKind;

namespace {

bool has_memory(const Expr &expr) {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) { found = found || part.kind == ExprKind::load; });
  return found;
}

}  // namespace

bool writes(const Statements &statements) {
  bool found = false;
  spec::visit_statements(statements, [&](const Statement &one) {
    found = found || one.kind == StatementKind::store || one.kind == StatementKind::update;
  });
  return found;
}

void Lifter::emit(Statement statement, const Node &at) {
  statement.line = at.line;
  if (team_) note_own(statement);
  if (statement.kind == StatementKind::fold || statement.kind == StatementKind::assign)
    forget(statement.name);
  into_->push_back(std::move(statement));
}

void Lifter::guard(const Expr &condition, int line) {
  for (Expr &one : spec::conjuncts(condition)) out_.guards.push_back({std::move(one), line, into_->size()});
}

bool Lifter::is_guard_return(const Node &node) const {
  if (node.kind != Kind::if_ || node.children[2].kind != Kind::none) return false;
  const Node &then = without_braces(node.children[1]);
  return then.kind == Kind::return_ && then.children.empty();
}

namespace {

bool is_less(const Expr &expr) {
  return expr.kind == ExprKind::binary && (expr.text == "<" || expr.text == "<=");
}

/// What follows from two of them: `i < n` from `i <= j && j < n`.
void add_consequences(std::vector<Expr> &facts) {
  const std::size_t stated = facts.size();
  for (std::size_t i = 0; i < stated; ++i)
    for (std::size_t k = 0; k < stated; ++k) {
      const Expr a = facts[i], b = facts[k];
      if (i == k || !is_less(a) || !is_less(b) || (a.text == "<=" && b.text == "<=")) continue;
      if (a.parts[1] == b.parts[0]) facts.push_back(spec::binary("<", a.parts[0], b.parts[1], "bool"));
    }
}

}  // namespace

/// What holds wherever a chain of `if` and `else if` does anything is a condition of all of it.
Lift<void> Lifter::guard_chain(const Node &chain) {
  std::vector<Expr> common;
  bool first = true;
  for (const Node *one = &chain; one->kind != Kind::none;) {
    if (one->kind != Kind::if_) return {};
    CUPILOT_TRY(condition, expr(one->children[0]));
    std::vector<Expr> facts = spec::conjuncts(condition);
    add_consequences(facts);
    if (first)
      common = facts;
    else
      std::erase_if(common, [&](const Expr &fact) { return std::ranges::find(facts, fact) == facts.end(); });
    first = false;
    one = &without_braces(one->children[2]);
  }
  for (const Expr &fact : common) guard(fact, chain.line);
  return {};
}

/// `if (c) { work; return; } rest`, where nothing comes after the rest: `if (c) { work; } else { rest; }`
Lift<bool> Lifter::work_and_return(const std::vector<const Node *> &parts, std::size_t at) {
  const Node &part = *parts[at];
  if (depth_ != tail_ || !calls_.empty() || team_ || part.kind != Kind::if_) return false;
  if (part.children[2].kind != Kind::none) return false;
  std::vector<const Node *> work = rewrite::parts_of(part.children[1]);
  const bool nothing_else = work.size() == 1 && depth_ == 0;  // a guard
  if (work.empty() || nothing_else || work.back()->kind != Kind::return_ || !work.back()->children.empty())
    return false;
  work.pop_back();
  CUPILOT_TRY(condition, expr(part.children[0]));
  Statement one{.kind = StatementKind::branch, .value = std::move(condition)};
  ++tail_;
  CUPILOT_TRY(body, in_scope(work));
  CUPILOT_TRY(otherwise, in_scope({parts.begin() + static_cast<std::ptrdiff_t>(at) + 1, parts.end()}));
  --tail_;
  if (body.empty()) {
    one.value = {ExprKind::unary, "!", "bool", {one.value}};
    std::swap(body, otherwise);
  }
  one.body = std::move(body);
  one.otherwise = std::move(otherwise);
  emit(std::move(one), part);
  return true;
}

Lift<void> Lifter::statements(const std::vector<const Node *> &parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node &part = *parts[i];
    const bool top = depth_ == 0 && calls_.empty();
    CUPILOT_TRY(left, work_and_return(parts, i));
    if (left) return {};
    const bool last = i + 1 == parts.size();
    if (top && is_guard_return(part) && !(team_ && thread_decides(part.children[0]))) {
      if (writes(*into_))
        return not_lifted("threads leave after they have done a part of the work", part.line);
      CUPILOT_TRY(condition, expr(part.children[0]));
      guard(spec::negated(condition), part.line);
      continue;
    }
    const bool whole = top && last && part.kind == Kind::if_ && part.children[2].kind == Kind::none &&
                       !(team_ && thread_decides(part.children[0]));
    const bool nothing_yet = !writes(*into_);
    if (top && last && nothing_yet && !team_ && part.kind == Kind::if_ && part.children[2].kind != Kind::none)
      CUPILOT_CHECKED(guard_chain(part));
    if (whole && nothing_yet) {
      CUPILOT_TRY(condition, expr(part.children[0]));
      guard(condition, part.line);
      return statements(rewrite::parts_of(part.children[1]));
    }
    if (depth_ > 0 && part.kind == Kind::if_ && part.children[2].kind == Kind::none) {
      if (without_braces(part.children[1]).kind == Kind::continue_) {
        CUPILOT_TRY(condition, expr(part.children[0]));
        Statement rest{.kind = StatementKind::branch, .value = {ExprKind::unary, "!", "bool", {condition}}};
        rests_.insert(depth_ + 1);
        CUPILOT_TRY(body, in_scope({parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, parts.end()},
                                   differs(condition)));
        rests_.erase(depth_ + 1);
        rest.body = std::move(body);
        emit(std::move(rest), part);
        return {};
      }
    }
    const bool simple = part.kind == Kind::assign || part.kind == Kind::declaration ||
                        part.kind == Kind::call || part.kind == Kind::unary;
    const bool outer = std::exchange(may_step_, simple);
    CUPILOT_CHECKED(statement(part));
    CUPILOT_CHECKED(step_pointers());
    may_step_ = outer;
  }
  return {};
}

Lift<void> Lifter::statement(const Node &node) {
  if (tiling_ > 0 && node.kind == Kind::assign && node.children[0].kind == Kind::subscript &&
      shared_.contains(rewrite::root_variable(node.children[0])))
    return tile_store(node);
  if (is_own_store(node)) return tile_store(node);
  if (team_ && tiling_ == 0 && depth_ == 0 && is_fill(node)) {
    if (node.kind == Kind::assign) return tile_store(node);
    CUPILOT_TRY(filled, tile_branch(node));
    if (filled) return {};
  }
  if (tiling_ > 0 && node.kind == Kind::if_) {
    CUPILOT_TRY(filled, tile_branch(node));
    if (filled) return {};
  }
  if (team_ && tiling_ == 0 && cooperates(node)) {
    alive_.resize(static_cast<std::size_t>(threads_), true);
    count_alone(node);
    CUPILOT_TRY(scanned, scan_store(node));
    if (scanned) return {};
    return execute(node, alive_);
  }
  switch (node.kind) {
    case Kind::compound:
      return statements(rewrite::parts_of(node));
    case Kind::declaration:
      return declaration(node);
    case Kind::assign:
      return assign(node);
    case Kind::unary:
      if (node.text == "++" || node.text == "--") return assign(node);
      break;
    case Kind::if_:
      return branch(node);
    case Kind::for_:
    case Kind::while_:
      return loop(node);
    case Kind::call:
      return call_statement(node);
    case Kind::empty:
      return {};
    case Kind::return_:
      return not_lifted("threads leave in the midst of the work", node.line);
    case Kind::break_:
      return not_lifted("a loop is left early", node.line);
    default:
      break;
  }
  return not_lifted("a statement of a kind that is not known here", node.line);
}

Lift<void> Lifter::declaration(const Node &node) {
  for (const Node &one : node.children) {
    if (one.kind != Kind::declare)
      return not_lifted("a declaration of a kind that is not known here", one.line);
    CUPILOT_CHECKED(declare(one));
  }
  return {};
}

Lift<void> Lifter::declare(const Node &one) {
  const rewrite::Variable &variable = kernel_.variables[one.variable];
  if (variable.storage == Storage::shared || variable.storage == Storage::dynamic_shared) {
    shared_[one.variable] = {
        variable.storage == Storage::shared ? variable.type.extents : std::vector<std::int64_t>{}, {}};
    return {};
  }
  if (variable.storage != Storage::local || variable.type.is_reference || variable.type.is_volatile)
    return not_lifted(fmt::format("'{}' is a variable of a kind that is not known here", variable.name),
                      one.line);
  if (variable.type.kind == Type::Kind::pointer) {
    declared_at_[one.variable] = depth_;
    if (!one.children.empty()) CUPILOT_CHECKED(point(one.variable, one.children[0]));
    return {};
  }
  if (is_private(one.variable) && one.children.empty()) return {};
  if (variable.type.kind == Type::Kind::array || variable.type.kind == Type::Kind::other)
    return not_lifted(fmt::format("'{}' is an array of each thread", variable.name), one.line);
  const Node *scope = calls_.empty() ? &kernel_.body : &kernel_.functions[calls_.back()].body;
  const bool changes = rewrite::assigned(*scope, one.variable) != nullptr;
  if (one.children.empty() && !changes) return {};
  Expr value;
  if (!one.children.empty()) {
    CUPILOT_TRY(initial, expr(one.children[0]));
    value = std::move(initial);
  }
  if (!changes) {
    if (const auto place = coordinate_of(value)) out_.names.try_emplace(*place, variable.name);
    const bool same_kind = is_integer(variable.type) && is_integer(one.children[0].type);
    const bool of_thread =
        team_ && depends_on_thread(value) && (is_integer(variable.type) || exchanged_.contains(one.variable));
    if ((same_kind && !has_memory(value) && !changes_later(value)) || of_thread) {
      const bool of_sizes = same_kind && !has_memory(value) && is_of_sizes(value);
      if (of_sizes && value.kind != ExprKind::constant && value.kind != ExprKind::parameter) {
        // Sizes computed from sizes keep their names until the index maps are taken apart.
        const std::string own = fresh(variable.name);
        out_.sizes.emplace_back(own, std::move(value));
        values_[one.variable] = spec::named(ExprKind::parameter, own, variable.type.text);
        return {};
      }
      const bool narrower = one.children[0].type.bits > variable.type.bits || variable.type.bits < 32;
      if (narrower || (!same_kind && value.type != variable.type.text))
        value = {ExprKind::cast, variable.type.text, variable.type.text, {value}};
      values_[one.variable] = std::move(value);
      return {};
    }
  }
  const bool index = is_integer(variable.type) && variable.type.bits >= 32 && !one.children.empty() &&
                     is_integer(one.children[0].type) && one.children[0].type.bits <= variable.type.bits &&
                     !has_memory(value) && !changes_later(value);
  if (team_ && index && !rewrite::assigned_inside(*scope, one.variable)) {
    // Of an index that only changes from one statement to the next, each statement knows what it is.
    values_[one.variable] = std::move(value);
    steady_.insert(one.variable);
    declared_at_[one.variable] = depth_;
    return {};
  }
  const std::string name = fresh(variable.name);
  initial_[one.variable] = value;
  unsettled_.erase(one.variable);
  emit({.kind = changes ? StatementKind::variable : StatementKind::value,
        .name = name,
        .type = variable.type.text,
        .value = std::move(value)},
       one);
  values_[one.variable] = spec::named(ExprKind::value, name, variable.type.text);
  if (changes && rewrite::assigned_inside(*scope, one.variable)) changing_.insert(name);
  spread_.erase(one.variable);
  declared_at_[one.variable] = depth_;
  return {};
}

/// Whether what is written now runs whenever and as often as what is written at `depth`, or is all that
/// comes.
bool Lifter::straight_from(int depth) const {
  while (depth < depth_)
    if (!rests_.contains(++depth)) return false;
  return true;
}

/// The variable, which holds a value by name, goes on under a new name with another value.
void Lifter::go_on_as(int variable, Expr value, const Node &at) {
  Expr &known = values_.at(variable);
  const std::string next = fresh(name_of(variable));
  initial_[variable] = value;
  unsettled_.erase(variable);
  emit({.kind = StatementKind::variable, .name = next, .type = known.type, .value = std::move(value)}, at);
  if (changing_.contains(known.text)) changing_.insert(next);
  known.text = next;
}

Lift<void> Lifter::assign_variable(const Node &node, int variable, const std::string &op, const Node &value) {
  const auto known = values_.find(variable);
  if (steady_.contains(variable) && known != values_.end()) {
    const Type &type = kernel_.variables[static_cast<std::size_t>(variable)].type;
    CUPILOT_TRY(change, expr(value));
    if (!op.empty()) change = spec::binary(op, known->second, std::move(change), type.text);
    if (!has_memory(change) && !changes_later(change) && is_integer(value.type) &&
        value.type.bits <= type.bits && straight_from(declared_at_[variable])) {
      values_[variable] = std::move(change);
      return {};
    }
    return not_lifted(fmt::format("'{}' changes in a way that is not known here", name_of(variable)),
                      node.line);
  }
  if (known == values_.end() || known->second.kind != ExprKind::value || !declared_at_.contains(variable))
    return not_lifted(fmt::format("'{}' changes in a way that is not known here", name_of(variable)),
                      node.line);
  const std::string name = known->second.text, type = known->second.type;
  CUPILOT_TRY(change, expr(value));
  if (!op.empty()) change = spec::binary(op, known->second, std::move(change), type);
  // Not deeper than its declaration: a new name, so that only what a loop or a branch changes ever does.
  if (straight_from(declared_at_[variable]))
    go_on_as(variable, std::move(change), node);
  else
    unsettled_.insert(variable), change_to(name, type, std::move(change), node);
  return {};
}

/// The variable of that name becomes the value: a fold, if it is one.
void Lifter::change_to(const std::string &name, const std::string &type, Expr value, const Node &at) {
  if (const auto fold = fold_of(name, value, finite_))
    emit({.kind = StatementKind::fold,
          .name = name,
          .type = type,
          .op = fold->op,
          .value = fold->value,
          .keeps_nan = fold->keeps_nan},
         at);
  else
    emit({.kind = StatementKind::assign, .name = name, .type = type, .value = std::move(value)}, at);
}

Lift<void> Lifter::assign(const Node &node) {
  const bool step = node.kind == Kind::unary;
  const Node &target = node.children[0];
  const Node one{.kind = Kind::integer, .line = node.line, .type = target.type, .value = 1};
  const Node &value = step ? one : node.children[1];
  const std::string op = step ? node.text.substr(0, 1) : node.text.substr(0, node.text.size() - 1);
  if (node.overloaded && !op.empty())
    return not_lifted(fmt::format("the operator '{}' of this type is not known", node.text), node.line);
  if (value.kind == Kind::assign) return not_lifted("an assignment is used as a value", node.line);
  if (target.kind == Kind::name) {
    const rewrite::Variable &variable = kernel_.variables[target.variable];
    const bool own = variable.storage == Storage::local || variable.storage == Storage::parameter;
    if (own && variable.type.kind == Type::Kind::pointer) return move_pointer(node);
    if (variable.storage == Storage::local || (!calls_.empty() && variable.storage == Storage::parameter))
      return assign_variable(node, target.variable, op, value);
  }
  const bool memory = target.kind == Kind::subscript || target.kind == Kind::member ||
                      (target.kind == Kind::unary && target.text == "*");
  if (memory) return store(node, op, value);
  return not_lifted("something is written that is no element of a buffer", node.line);
}

Lift<void> Lifter::store(const Node &node, const std::string &op, const Node &value) {
  const Node &target = node.children[0];
  std::optional<Pointer> lane;
  if (target.kind == Kind::member) {
    CUPILOT_TRY(found, lane_of(target));
    if (!found) return not_lifted("something is written that is no element of a buffer", node.line);
    lane = std::move(found);
  }
  CUPILOT_TRY(place, lane                             ? Lift<Pointer>(*lane)
                     : target.kind == Kind::subscript ? element_of(target)
                                                      : pointer(target.children[0]));
  return store_at(std::move(place), op, value, node);
}

Lift<void> Lifter::store_at(Pointer place, const std::string &op, const Node &value, const Node &at) {
  if (place.lanes > 1) return not_lifted("a vector is written as a whole", at.line);
  CUPILOT_TRY(what, expr(value));
  if (!op.empty())
    what = spec::binary(op, spec::load(place.buffer, place.offset, place.type), std::move(what), place.type);
  emit({.kind = StatementKind::store,
        .name = place.buffer,
        .type = place.type,
        .value = std::move(what),
        .index = std::move(place.offset)},
       at);
  return {};
}

Lift<Statements> Lifter::in_scope(const std::vector<const Node *> &parts, bool divergent) {
  Statements inner, *outer = std::exchange(into_, &inner);
  ++depth_;
  divergent_ += divergent;
  const auto done = statements(parts);
  divergent_ -= divergent;
  --depth_;
  into_ = outer;
  if (!done) return std::unexpected(done.error());
  return inner;
}

/// `if (e > m) m = e;`
Lift<bool> Lifter::fold_of_branch(const Node &node) {
  const Node *only = only_assignment(node);
  if (only == nullptr) return false;
  const Node &target = only->children[0];
  const auto known = target.kind == Kind::name ? values_.find(target.variable) : values_.end();
  if (known == values_.end() || known->second.kind != ExprKind::value || depth_ == 0) return false;
  CUPILOT_TRY(condition, expr(node.children[0]));
  CUPILOT_TRY(value, expr(only->children[1]));
  const auto fold = fold_of_choice(known->second.text, condition, value);
  if (!fold) return false;
  emit({.kind = StatementKind::fold,
        .name = known->second.text,
        .type = known->second.type,
        .op = fold->op,
        .value = fold->value,
        .keeps_nan = fold->keeps_nan},
       node);
  return true;
}

/// `if (i < n) v = x[i];`, where threads go on with what each of them has: `v = i < n ? x[i] : v`.
Lift<bool> Lifter::choice_of_threads(const Node &node) {
  const Node *only = only_assignment(node);
  if (!team_ || only == nullptr || only->children[0].kind != Kind::name) return false;
  const int variable = only->children[0].variable;
  const auto known = values_.find(variable);
  if (known == values_.end() || known->second.kind != ExprKind::value || steady_.contains(variable) ||
      !declared_at_.contains(variable) || !straight_from(declared_at_.at(variable)))
    return false;
  CUPILOT_TRY(condition, expr(node.children[0]));
  if (!differs(condition)) return false;
  CUPILOT_TRY(value, expr(only->children[1]));
  const auto first = first_value(variable);
  const bool number = first && first->kind == ExprKind::constant;
  Expr before = number ? *first : known->second;
  const std::string type = known->second.type;
  go_on_as(variable,
           {ExprKind::select, "", type, {std::move(condition), std::move(value), std::move(before)}}, node);
  return true;
}

Lift<void> Lifter::branch(const Node &node) {
  CUPILOT_TRY(folded, fold_of_branch(node));
  if (folded) return {};
  CUPILOT_TRY(chosen, choice_of_threads(node));
  if (chosen) return {};
  Statement one{.kind = StatementKind::branch};
  CUPILOT_TRY(condition, expr(node.children[0]));
  if (condition.kind == ExprKind::constant && condition.text == "true")
    return statements(rewrite::parts_of(node.children[1]));
  const bool divergent = differs(condition);
  one.value = std::move(condition);
  CUPILOT_TRY(body, in_scope(rewrite::parts_of(node.children[1]), divergent));
  one.body = std::move(body);
  if (node.children[2].kind != Kind::none) {
    CUPILOT_TRY(otherwise, in_scope(rewrite::parts_of(node.children[2]), divergent));
    one.otherwise = std::move(otherwise);
  }
  emit(std::move(one), node);
  return {};
}

Lift<void> Lifter::call_statement(const Node &node) {
  static constexpr std::array<std::pair<const char *, const char *>, 6> kAtomics{{{"atomicAdd", "+"},
                                                                                  {"atomicMax", "max"},
                                                                                  {"atomicMin", "min"},
                                                                                  {"atomicOr", "|"},
                                                                                  {"atomicAnd", "&"},
                                                                                  {"atomicXor", "^"}}};
  if (node.text == "__syncthreads" || node.text == "__syncwarp") return {};
  if (is_hinted_store(node)) {
    CUPILOT_TRY(place, pointer(node.children[0]));
    return store_at(std::move(place), "", node.children[1], node);
  }
  const auto atomic =
      std::ranges::find(kAtomics, node.text, [](const auto &pair) { return std::string(pair.first); });
  if (atomic == kAtomics.end() || node.children.size() != 2)
    return not_lifted(fmt::format("what '{}' does is not known here", node.text), node.line);
  const Node &target = node.children[0];
  if (rewrite::root_variable(target) >= 0 && shared_.contains(rewrite::root_variable(target)))
    return not_lifted("atomic operations in shared memory are not known here", node.line);
  CUPILOT_TRY(place, pointer(target));
  CUPILOT_TRY(value, expr(node.children[1]));
  emit({.kind = StatementKind::update,
        .name = place.buffer,
        .type = place.type,
        .op = atomic->second,
        .value = std::move(value),
        .index = std::move(place.offset)},
       node);
  return {};
}

}  // namespace cupilot::lift
