// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a block (or the lanes of a warp) do together. The statements are executed for all of
// them in step, with sets in place of numbers: a share of some threads, folded with a share of others by the
// same operator, is the share of both. A share of all threads is the result.

#include <fmt/format.h>

#include <algorithm>

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

constexpr int kMostRounds = 4096;

/// Whether a condition says nothing but which threads go this way.
bool Lifter::thread_decides(const Node &node) {
  if (!rewrite::find(node, [&](const Node &one) {
        return one.kind == Kind::builtin ||
               (one.kind == Kind::name && (values_.contains(one.variable) || spread_.contains(one.variable)));
      }))
    return false;
  bool differs = false;
  expressions_.clear();
  for (int thread = 0; thread < threads_; ++thread) {
    const Element one = element(node, thread);
    if (!std::holds_alternative<std::int64_t>(one)) return false;
    differs = differs || (thread > 0 && !(one == element(node, 0)));
  }
  return differs;
}

/// Whether threads exchange something in this statement, or do different things.
bool Lifter::cooperates(const Node &node) {
  const auto shared = [&](const Node &one) {
    if (one.kind == Kind::name)
      return spread_.contains(one.variable) ||
             (shared_.contains(one.variable) && !tiles_.contains(one.variable));
    if (one.kind == Kind::call && one.function >= 0) {
      const rewrite::Effects effects = rewrite::effects_of(kernel_, one);
      return effects.collective != nullptr || effects.shared != nullptr;
    }
    return one.kind == Kind::call && (is_shuffle(one.text) || one.text.starts_with("__reduce_"));
  };
  if (node.kind == Kind::for_ || node.kind == Kind::while_) {
    // A loop over data may use results; a loop over threads folds them.
    bool memory = false;
    rewrite::walk(node, [&](const Node &one) {
      const int root = one.kind == Kind::subscript ? rewrite::root_variable(one) : -1;
      memory = memory || (root >= 0 && !shared_.contains(root));
    });
    return !memory && rewrite::find(node, shared) != nullptr;
  }
  if (node.kind == Kind::if_)
    return thread_decides(node.children[0]) || rewrite::find(node, shared) != nullptr;
  return rewrite::find(node, shared) != nullptr;
}

/// Fills exchanged_.
void Lifter::find_exchanged() {
  const auto add = [&](const Node &value) {
    rewrite::walk(value, [&](const Node &one) {
      if (one.kind == Kind::name) exchanged_.insert(one.variable);
    });
  };
  const auto look = [&](const Node &one) {
    const bool call = one.kind == Kind::call && (is_shuffle(one.text) || effect_of(one).has_value());
    if (call) add(one);
    if (one.kind == Kind::if_ || one.kind == Kind::for_ || one.kind == Kind::while_)
      add(one.children[one.kind == Kind::for_ ? 1 : 0]);
    if (one.kind == Kind::declare && exchanged_.contains(one.variable)) add(one);
    if (one.kind != Kind::assign) return;
    const int root = rewrite::root_variable(one.children[0]);
    const bool shared = root >= 0 && (kernel_.variables[root].storage == Storage::shared ||
                                      kernel_.variables[root].storage == Storage::dynamic_shared);
    if (shared || exchanged_.contains(root)) add(one);
  };
  for (std::size_t before = exchanged_.size() + 1; before != exchanged_.size();) {
    before = exchanged_.size();
    rewrite::walk(kernel_.body, look);
    for (const rewrite::Function &function : kernel_.functions) rewrite::walk(function.body, look);
  }
}

/// The functions of the user's file that a statement calls, executed first.
Lift<void> Lifter::run_calls(const Node &node, const Mask &mask) {
  for (const Node &child : node.children) CUPILOT_CHECKED(run_calls(child, mask));
  if (node.kind != Kind::call || node.function < 0) return {};
  const rewrite::Effects effects = rewrite::effects_of(kernel_, node);
  if (!effects.collective && !effects.shared) return {};
  const rewrite::Function &function = kernel_.functions[node.function];
  const auto parts = rewrite::parts_of(function.body);
  const bool returns =
      !parts.empty() && parts.back()->kind == Kind::return_ && !parts.back()->children.empty();
  if (function.parameters.size() != node.children.size() ||
      std::ranges::find(calls_, node.function) != calls_.end())
    return not_lifted(fmt::format("'{}' is called in a way that is not known here", function.name),
                      node.line);
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const int root = rewrite::root_variable(node.children[i]);
    if (node.children[i].kind == Kind::name && root >= 0 && shared_.contains(root))
      return not_lifted(fmt::format("'{}' takes shared memory by a pointer", function.name), node.line);
    CUPILOT_TRY(values, spread_of(node.children[i], mask));
    values_.erase(function.parameters[i]);
    spread_[function.parameters[i]] = std::move(values);
  }
  calls_.push_back(node.function);
  Mask inner = mask;
  for (const Node *part : parts)
    if (part != parts.back() || !returns) CUPILOT_CHECKED(execute(*part, inner));
  if (returns) {
    CUPILOT_TRY(values, spread_of(parts.back()->children[0], mask));
    results_[&node] = std::move(values);
  }
  calls_.pop_back();
  return {};
}

Lift<Spread> Lifter::spread_of(const Node &node, const Mask &mask) {
  CUPILOT_CHECKED(run_calls(node, mask));
  Spread values(static_cast<std::size_t>(threads_));
  for (int thread = 0; thread < threads_; ++thread)
    if (mask[static_cast<std::size_t>(thread)]) values[static_cast<std::size_t>(thread)] = held(node, thread);
  return values;
}

void Lifter::set_spread(int variable, const Spread &values, const Mask &mask) {
  Spread &into = spread_[variable];
  if (into.empty()) {
    into.assign(static_cast<std::size_t>(threads_), Unknown{});
    if (const auto known = values_.find(variable); known != values_.end())
      for (Element &one : into) one = first_value(variable).value_or(known->second);
  }
  // Beside shares of others, what a thread has of its own is its share.
  const bool shares =
      std::ranges::any_of(values, [](const Element &one) { return std::holds_alternative<Share>(one); });
  for (std::size_t thread = 0; shares && thread < into.size(); ++thread) {
    const auto *value = std::get_if<Expr>(&into[thread]);
    const auto own = value ? of_index(*value) : std::nullopt;
    if (own && depends_on_member(*own))
      into[thread] = own_share(*own, "", kernel_.variables[variable].type.text, static_cast<int>(thread));
  }
  for (std::size_t thread = 0; thread < into.size(); ++thread)
    if (mask[thread]) into[thread] = values[thread];
  values_.erase(variable);
  // The same for all: an ordinary value again.
  if (auto same = uniform(into, Mask(into.size(), true)); same && calls_.empty()) {
    spread_.erase(variable);
    const bool short_one = same->kind == ExprKind::value || same->kind == ExprKind::constant ||
                           same->kind == ExprKind::parameter;
    if (!short_one) {
      const std::string name = fresh(name_of(variable));
      into_->push_back({.kind = StatementKind::value,
                        .name = name,
                        .type = kernel_.variables[variable].type.text,
                        .value = *same});
      *same = spec::named(ExprKind::value, name, kernel_.variables[variable].type.text);
    }
    const bool number = kernel_.variables[variable].type.kind == Type::Kind::floating;
    if (number && same->kind == ExprKind::constant) {
      // Loops may add to it.
      const std::string name = fresh(name_of(variable)), type = kernel_.variables[variable].type.text;
      into_->push_back({.kind = StatementKind::variable, .name = name, .type = type, .value = *same});
      initial_[variable] = std::exchange(*same, spec::named(ExprKind::value, name, type));
      declared_at_[variable] = depth_;
    }
    values_[variable] = *same;
  }
}

Lift<void> Lifter::execute_declare(const Node &node, const Mask &mask) {
  for (const Node &one : node.children) {
    if (one.kind != Kind::declare)
      return not_lifted("a declaration of a kind that is not known here", one.line);
    const rewrite::Variable &variable = kernel_.variables[one.variable];
    if (variable.storage != Storage::local || variable.type.kind == Type::Kind::pointer ||
        variable.type.kind == Type::Kind::array) {
      CUPILOT_CHECKED(declare(one));
      continue;
    }
    spread_[one.variable] = Spread(static_cast<std::size_t>(threads_), Unknown{});
    values_.erase(one.variable);
    if (one.children.empty()) continue;
    CUPILOT_TRY(values, spread_of(one.children[0], mask));
    // Who is not here does not know the name: what is the same for all who are, is the same for all.
    const bool some = std::ranges::find(mask, false) != mask.end();
    const auto same = some ? uniform(values, mask) : std::nullopt;
    if (same && calls_.empty())
      set_spread(one.variable, Spread(values.size(), *same), Mask(mask.size(), true));
    else
      set_spread(one.variable, values, mask);
  }
  return {};
}

Lift<void> Lifter::execute_assign(const Node &node, const Mask &mask) {
  const bool step = node.kind == Kind::unary;
  const Node &target = node.children[0];
  if (target.kind == Kind::name && target.type.kind == Type::Kind::pointer) {
    if (std::ranges::find(mask, false) == mask.end()) return assign(node);
    return not_lifted(fmt::format("some threads of a block move the pointer '{}'", name_of(target.variable)),
                      node.line);
  }
  if (!step && target.kind == Kind::name && calls_.empty() && declared_at_.contains(target.variable) &&
      values_.contains(target.variable) && !straight_from(declared_at_.at(target.variable)) &&
      std::ranges::find(mask, false) == mask.end()) {
    // What is the same for all threads changes a variable as if each did it alone.
    CUPILOT_TRY(values, spread_of(node.children[1], mask));
    if (const auto same = uniform(values, mask)) {
      results_[&node.children[1]] = Spread(static_cast<std::size_t>(threads_), *same);
      return assign(node);
    }
  }
  const Node one{.kind = Kind::integer, .line = node.line, .type = target.type, .value = 1};
  Node value = step ? one : node.children[1];
  const std::string op = step ? node.text.substr(0, 1) : node.text.substr(0, node.text.size() - 1);
  // `a op= b` is `a = a op b`; the operands keep their places, so that results of calls are found again.
  Spread values(static_cast<std::size_t>(threads_));
  if (!step) CUPILOT_CHECKED(run_calls(node.children[1], mask));
  for (int thread = 0; thread < threads_; ++thread) {
    if (!mask[static_cast<std::size_t>(thread)]) continue;
    if (op.empty()) {
      values[static_cast<std::size_t>(thread)] = held(node.children[1], thread);
      continue;
    }
    const Element own = held(target, thread),
                  other = step ? Element(std::int64_t{1}) : held(node.children[1], thread);
    if (std::holds_alternative<Share>(own) || std::holds_alternative<Share>(other))
      if (Element both = folded_shares(op, own, other, target.type.text, thread);
          !std::holds_alternative<Unknown>(both)) {
        values[static_cast<std::size_t>(thread)] = std::move(both);
        continue;
      }
    const Element left = settled(own), right = settled(other);
    const auto *a = std::get_if<std::int64_t>(&left), *b = std::get_if<std::int64_t>(&right);
    Element result = Unknown{};
    if (a && b && target.type.kind != Type::Kind::floating) {
      if (const auto number = computed(op, *a, *b)) result = *number;
    } else {
      result = folded_shares(op, left, right, target.type.text, thread);
      const auto *x = std::get_if<Expr>(&left), *y = std::get_if<Expr>(&right);
      if (std::holds_alternative<Unknown>(result) && x && y)
        result = spec::binary(op, *x, *y, target.type.text);
    }
    values[static_cast<std::size_t>(thread)] = std::move(result);
  }
  if (target.kind == Kind::name && !shared_.contains(target.variable)) {
    set_spread(target.variable, values, mask);
    return {};
  }
  if (carried_.contains(target.kind == Kind::name ? target.variable : -1))
    return carry_on(node, values, mask);
  if (!is_own_of_team(target))
    return not_lifted("rows of threads in a block share an element of shared memory", node.line);
  std::map<std::int64_t, std::vector<Element>> written;
  int array = -1;
  for (int thread = 0; thread < threads_; ++thread) {
    if (!mask[static_cast<std::size_t>(thread)]) continue;
    const auto index = shared_index(target, thread, array);
    if (!index) return not_lifted("which element of shared memory a thread writes is not known", node.line);
    Element own = values[static_cast<std::size_t>(thread)];
    // Others will read it: an expression of this thread's index is this thread's share of whatever comes.
    if (const auto *expr = std::get_if<Expr>(&own); expr && depends_on_member(*expr))
      own = own_share(Expr(*expr), "", target.type.text, thread);
    written[*index].push_back(std::move(own));
  }
  for (auto &[index, elements] : written) {
    const bool same =
        std::ranges::all_of(elements, [&](const Element &each) { return each == elements.front(); });
    shared_.at(array).elements[index] = same ? elements.front() : Element(Unknown{});
  }
  return {};
}

/// What threads that add shares of a sum, perhaps each divided by the same, add together: the sum, if every
/// thread's share is among them once.
Lift<std::optional<Expr>> Lifter::whole_of_parts(const Node &value, const Mask &mask) {
  const bool scaled = value.kind == Kind::binary && (value.text == "/" || value.text == "*") &&
                      value.type.kind == Type::Kind::floating;
  const Node &part = scaled ? value.children[0] : value;
  CUPILOT_TRY(shares, spread_of(part, mask));
  Element all = Unknown{};
  bool first = true;
  for (std::size_t thread = 0; thread < shares.size(); ++thread) {
    if (!mask[thread]) continue;
    all = first ? shares[thread] : folded("+", all, shares[thread]);
    first = false;
  }
  const Element whole = settled(all);
  const auto *sum = std::get_if<Expr>(&whole);
  if (!std::holds_alternative<Share>(all) || sum == nullptr) return std::nullopt;
  results_[&part] = Spread(static_cast<std::size_t>(threads_), *sum);
  if (!scaled) return *sum;
  CUPILOT_TRY(values, spread_of(value, mask));
  return uniform(values, mask);
}

/// A store to the user's memory: all threads that do it write the same.
Lift<void> Lifter::execute_store(const Node &node, const Mask &mask) {
  const auto active = static_cast<std::size_t>(std::ranges::count(mask, true));
  if (active == 0) return {};
  const Node &value = node.children[1];
  CUPILOT_TRY(values, spread_of(value, mask));
  auto what = uniform(values, mask);
  const bool in_parts = !what && node.kind == Kind::call && node.text == "atomicAdd";
  if (in_parts) {
    CUPILOT_TRY(whole, whole_of_parts(value, mask));
    what = std::move(whole);
  }
  if (!what) return not_lifted("what is written here is no sum or maximum over the block", node.line);
  results_[&value] = Spread(static_cast<std::size_t>(threads_), *what);
  // The index is an expression of the thread that writes, if it is only one.
  const auto first = static_cast<std::size_t>(std::ranges::find(mask, true) - mask.begin());
  const std::size_t before = into_->size();
  CUPILOT_CHECKED(node.kind == Kind::call ? call_statement(node) : assign(node));
  for (std::size_t i = before; i < into_->size(); ++i) {
    Expr &index = (*into_)[i].index;
    index = spec::replace(index, [&](const Expr &part) -> std::optional<Expr> {
      const bool own =
          part.kind == ExprKind::axis && (part.text == std::string(kThread) + "x" || part.text == kLane);
      return own && active == 1 ? std::optional(spec::constant(*integer_of(part, static_cast<int>(first))))
                                : std::nullopt;
    });
    if (depends_on_member(index) || (!warps_ && spec::mentions(index, std::string(kWarp) + "x")))
      return not_lifted("some threads of a block write here", node.line);
    const bool update = (*into_)[i].kind == StatementKind::update;
    if (update && active != 1 && !in_parts)
      return not_lifted("several threads of a block add the same value", node.line);
  }
  return {};
}

/// A branch under a condition over data that is the same for all threads that are here, where each side does
/// nothing but write.
Lift<void> Lifter::execute_choice(const Node &node, const Mask &mask) {
  const auto unknown = [&] {
    return not_lifted("threads exchange values under a condition that depends on more than their indices",
                      node.line);
  };
  const auto only_writes = [&](auto &&self, const Node &side) -> bool {
    if (side.kind == Kind::compound)
      return std::ranges::all_of(side.children, [&](const Node &one) { return self(self, one); });
    const int root = side.kind == Kind::assign ? rewrite::root_variable(side.children[0]) : -1;
    return side.kind == Kind::none || side.kind == Kind::empty ||
           (root >= 0 && side.children[0].kind == Kind::subscript && !shared_.contains(root) &&
            !is_private(root) && !has_steps(side.children[1]));
  };
  if (!only_writes(only_writes, node.children[1]) || !only_writes(only_writes, node.children[2]))
    return unknown();
  CUPILOT_TRY(conditions, spread_of(node.children[0], mask));
  const auto condition = uniform(conditions, mask);
  if (!condition) return unknown();
  // What threads have together stands before the branch, whichever side needs it.
  std::vector<const Node *> written;
  for (const Node *side : {&node.children[1], &node.children[2]})
    rewrite::walk(*side, [&](const Node &one) {
      if (one.kind == Kind::assign) written.push_back(&one.children[1]);
    });
  for (const Node *value : written) {
    CUPILOT_TRY(values, spread_of(*value, mask));
    uniform(values, mask);
  }
  Statement branch{.kind = spec::StatementKind::branch, .value = *condition, .line = node.line};
  Statements *outer = into_;
  for (const int side : {1, 2}) {
    into_ = side == 1 ? &branch.body : &branch.otherwise;
    Mask own = mask;
    const auto done =
        node.children[side].kind == Kind::none ? Lift<void>() : execute(node.children[side], own);
    into_ = outer;
    CUPILOT_CHECKED(done);
  }
  emit(std::move(branch), node);
  return {};
}

Lift<void> Lifter::execute_branch(const Node &node, Mask &mask) {
  CUPILOT_CHECKED(run_calls(node.children[0], mask));
  Mask yes(mask.size()), no(mask.size());
  const Node *only = only_assignment(node);
  for (int thread = 0; thread < threads_; ++thread) {
    const auto at = static_cast<std::size_t>(thread);
    if (!mask[at]) continue;
    const Element condition = element(node.children[0], thread);
    const auto *chosen = std::get_if<std::int64_t>(&condition);
    if (chosen == nullptr && only != nullptr) {
      // `if (b > a) a = b`, as `a = b > a ? b : a`.
      Node value{.kind = Kind::conditional, .line = node.line, .type = only->children[0].type};
      value.children = {node.children[0], only->children[1], only->children[0]};
      Node assignment = *only;
      assignment.children[1] = std::move(value);
      return execute(assignment, mask);
    }
    if (chosen == nullptr) return execute_choice(node, mask);
    (*chosen ? yes : no)[at] = true;
  }
  CUPILOT_CHECKED(execute(node.children[1], yes));
  if (node.children[2].kind != Kind::none) CUPILOT_CHECKED(execute(node.children[2], no));
  // Who has returned does not come back.
  for (std::size_t at = 0; at < mask.size(); ++at) mask[at] = mask[at] && (yes[at] || no[at]);
  return {};
}

/// Whole numbers that a loop of threads changes or that say which element of shared memory is meant, as every
/// thread has them: where they began as a number that is known.
void Lifter::count_alone(const Node &node) {
  std::set<int> counters;
  rewrite::walk(node, [&](const Node &one) {
    const bool loop = node.kind == Kind::for_ || node.kind == Kind::while_;
    if (loop && is_step(one) && one.children[0].kind == Kind::name) counters.insert(one.children[0].variable);
    const bool shared = one.kind == Kind::subscript && shared_.contains(rewrite::root_variable(one));
    if (!shared) return;
    rewrite::walk(one.children[1], [&](const Node &part) {
      if (part.kind == Kind::name) counters.insert(part.variable);
    });
  });
  for (const int variable : counters) {
    const auto first = first_value(variable);
    if (!first || !is_integer(kernel_.variables[variable].type) || declared_at_[variable] != depth_) continue;
    if (values_.at(variable).kind != ExprKind::value) continue;
    Spread values;
    for (int thread = 0; thread < threads_; ++thread)
      if (const auto number = integer_of(*first, thread)) values.emplace_back(*number);
    if (values.size() != static_cast<std::size_t>(threads_)) continue;
    values_.erase(variable);
    spread_[variable] = std::move(values);
  }
}

Lift<void> Lifter::execute_loop(const Node &node, Mask &mask) {
  const bool is_for = node.kind == Kind::for_;
  if (is_for && node.children[0].kind != Kind::none) CUPILOT_CHECKED(execute(node.children[0], mask));
  count_alone(node);
  const Node &condition = node.children[is_for ? 1 : 0], &body = node.children[is_for ? 3 : 1];
  Mask going = mask;
  for (int round = 0; round < kMostRounds; ++round) {
    for (int thread = 0; thread < threads_; ++thread) {
      const auto at = static_cast<std::size_t>(thread);
      if (!going[at]) continue;
      const Element holds = element(condition, thread);
      const auto *chosen = std::get_if<std::int64_t>(&holds);
      if (chosen == nullptr) return not_lifted("how often threads exchange values is not known", node.line);
      going[at] = *chosen != 0;
    }
    if (std::ranges::find(going, true) == going.end()) return {};
    CUPILOT_CHECKED(execute(body, going));
    if (is_for && node.children[2].kind != Kind::none) CUPILOT_CHECKED(execute(node.children[2], going));
  }
  return not_lifted("threads exchange values too often", node.line);
}

Lift<void> Lifter::execute_call(const Node &node, Mask &mask) {
  if (node.text == "__syncthreads") {
    const bool all = alive_.empty() || mask == alive_;
    return all ? Lift<void>() : not_lifted("a barrier that not all threads of the block reach", node.line);
  }
  if (node.text == "__syncwarp") return {};
  if (node.text.starts_with("atomic") || is_hinted_store(node)) return execute_store(node, mask);
  if (node.function < 0)
    return not_lifted(fmt::format("what '{}' does is not known here", node.text), node.line);
  return run_calls(node, mask);
}

Lift<void> Lifter::execute(const Node &node, Mask &mask) {
  if (std::ranges::find(mask, true) == mask.end()) return {};
  const Node *outer = std::exchange(statement_, &node);
  expressions_.clear();
  const auto done = [&]() -> Lift<void> {
    switch (node.kind) {
      case Kind::compound:
        for (const Node &child : node.children) CUPILOT_CHECKED(execute(child, mask));
        return {};
      case Kind::declaration:
        return execute_declare(node, mask);
      case Kind::if_:
        return execute_branch(node, mask);
      case Kind::for_:
      case Kind::while_:
        return execute_loop(node, mask);
      case Kind::call:
        return execute_call(node, mask);
      case Kind::return_:
        mask.assign(mask.size(), false);
        return {};
      case Kind::empty:
        return {};
      case Kind::assign:
      case Kind::unary: {
        const int root = rewrite::root_variable(node.children[0]);
        const bool own = root >= 0 && (shared_.contains(root) || node.children[0].kind == Kind::name);
        return own ? execute_assign(node, mask) : execute_store(node, mask);
      }
      default:
        return not_lifted("threads exchange values in a statement of a kind that is not known here",
                          node.line);
    }
  }();
  statement_ = outer;
  if (calls_.empty()) results_.clear();
  return done;
}

}  // namespace cupilot::lift
