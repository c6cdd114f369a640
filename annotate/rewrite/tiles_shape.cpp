// SPDX-License-Identifier: Apache-2.0
//
// Deliberately conservative. Barriers may only be at the top level of the body, threads may not return early,
// and only index arithmetic may live across a barrier, so that every phase can recompute what it needs.

#include "annotate/rewrite/tiles_shape.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "annotate/rewrite/text.h"

namespace cupilot::rewrite {
namespace {

bool is_barrier(const Node &node) {
  return node.kind == Kind::call && node.text == "__syncthreads";
}

bool is_shared(const Kernel &kernel, int variable) {
  return variable >= 0 && kernel.variables[variable].storage == Storage::shared;
}

/// Not of a type: `using Sum = ...;`
bool is_variable(const Node &statement) {
  return statement.kind == Kind::declaration && !statement.children.empty() &&
         statement.children[0].kind == Kind::declare && statement.children[0].variable >= 0;
}

class Splitter {
public:
  explicit Splitter(const Kernel &kernel) : kernel_(kernel) {}
  std::expected<TileShape, Obstacle> run();

private:
  std::expected<void, Obstacle> check() const;
  std::expected<void, Obstacle> take(const Node &statement);
  bool take_definitions(const Node &statement);
  bool computes_only(const Node &value) const {
    const Effects effects = effects_of(kernel_, value);
    return !effects.read && !effects.write && !effects.shared && !cooperation(effects);
  }
  bool shared_declaration(const Node &statement) const {
    return is_variable(statement) && is_shared(kernel_, statement.children[0].variable);
  }
  std::expected<void, Obstacle> close_phase();
  std::vector<const Node *> fetches() const;

  const Kernel &kernel_;
  TileShape shape_;
  Phase phase_;
  std::vector<Definition> definitions_;
};

std::expected<void, Obstacle> Splitter::check() const {
  const Effects effects = effects_of(kernel_, kernel_.body);
  if (effects.atomic) return obstacle("the kernel uses atomic operations", effects.atomic->line);
  if (effects.opaque || effects.volatile_access) {
    Effects others = effects;
    others.collective = others.shared = nullptr;
    if (const auto why = cooperation(others)) return std::unexpected(*why);
  }
  if (const Node *call = coordinate_call(kernel_, kernel_.body))
    return obstacle(fmt::format("'{}' uses thread coordinates", call->text), call->line);
  if (const Node *out = find(kernel_.body, [](const Node &node) { return node.kind == Kind::return_; }))
    return obstacle("threads can return before a barrier", out->line);
  const auto other_collective = [&](const Node &node) {
    return !is_barrier(node) && node.kind == Kind::call && effects_of(kernel_, node).collective;
  };
  for (const Node &statement : kernel_.body.children) {
    if (is_barrier(statement)) continue;
    if (const Node *inner = find(statement, is_barrier))
      return obstacle("there is a barrier inside a loop, a condition or a function", inner->line);
    if (const Node *inner = find(statement, other_collective))
      return obstacle("threads cooperate other than through __syncthreads", inner->line);
  }
  const bool dynamic = std::ranges::any_of(
      kernel_.variables, [](const Variable &it) { return it.storage == Storage::dynamic_shared; });
  return dynamic ? obstacle("the source does not show the size of dynamic shared memory", kernel_.line)
                 : std::expected<void, Obstacle>{};
}

bool Splitter::take_definitions(const Node &statement) {
  std::vector<Definition> found;
  if (statement.kind == Kind::declaration) {
    for (const Node &one : statement.children) {
      const bool scalar = one.kind == Kind::declare && one.variable >= 0 && !one.type.is_reference &&
                          kernel_.variables[one.variable].storage == Storage::local &&
                          one.type.kind != Type::Kind::array && one.children.size() <= 1;
      if (!scalar || (!one.children.empty() && !computes_only(one.children[0]))) return false;
      found.push_back({one.variable, one.children.empty() ? nullptr : &one.children[0], &statement});
    }
  } else if (statement.kind == Kind::assign && statement.text == "=" && !statement.overloaded &&
             statement.children[0].kind == Kind::name && computes_only(statement.children[1]) &&
             kernel_.variables[statement.children[0].variable].storage == Storage::local) {
    const int variable = statement.children[0].variable;
    if (mentions(statement.children[1], variable)) return false;
    found.push_back({variable, &statement.children[1], &statement});
  } else {
    return false;
  }
  definitions_.insert(definitions_.end(), found.begin(), found.end());
  return true;
}

/// Ends the phase with its definitions: the last one of every variable it needs and, transitively, of what
/// those need.
std::expected<void, Obstacle> Splitter::close_phase() {
  std::set<int> needed;
  const auto need = [&](const Node &tree) {
    walk(tree, [&](const Node &node) {
      if (node.kind == Kind::name && kernel_.variables[node.variable].storage == Storage::local)
        needed.insert(node.variable);
    });
  };
  for (const Node *action : phase_.actions) need(*action);
  for (auto it = definitions_.rbegin(); it != definitions_.rend(); ++it) {
    if (!needed.erase(it->variable)) continue;
    phase_.before.insert(phase_.before.begin(), *it);
    if (it->value) need(*it->value);
  }
  for (const int variable : needed) {
    const auto declares = [&](const Node &node) {
      return node.kind == Kind::declare && node.variable == variable;
    };
    const auto inside = [&](const Node *action) { return find(*action, declares) != nullptr; };
    if (std::ranges::none_of(phase_.actions, inside))
      return obstacle(
          fmt::format("'{}' keeps data in a register across a barrier", kernel_.variables[variable].name),
          phase_.actions.front()->line);
  }
  // A value that was computed from an older value of another variable would be recomputed wrongly.
  std::set<int> once;
  for (const Definition &it : phase_.before)
    if (!once.insert(it.variable).second)
      return obstacle(
          fmt::format("'{}' is needed with two values in one phase", kernel_.variables[it.variable].name),
          it.statement->line);
  if (!phase_.actions.empty()) phase_.fetches = fetches();
  shape_.phases.push_back(std::exchange(phase_, {}));
  return {};
}

/// The statements `shared[...] = <global data>`, if the phase does nothing else to memory.
std::vector<const Node *> Splitter::fetches() const {
  std::vector<const Node *> found;
  bool other = false;
  const std::function<void(const Node &)> look = [&](const Node &node) {
    const bool store = node.kind == Kind::assign && node.text == "=" &&
                       node.children[0].kind == Kind::subscript &&
                       is_shared(kernel_, root_variable(node.children[0])) && node.exact;
    if (store && effects_of(kernel_, node.children[1]).read &&
        !effects_of(kernel_, node.children[1]).shared && !effects_of(kernel_, node.children[1]).write) {
      found.push_back(&node);
      return;
    }
    if (node.kind == Kind::name && is_shared(kernel_, node.variable)) other = true;
    if (const Node *target = written_lvalue(node); target && target->kind != Kind::name) other = true;
    if (node.function >= 0 && effects_of(kernel_, node).write) other = true;
    for (const Node &child : node.children) look(child);
  };
  for (const Node *action : phase_.actions) look(*action);
  for (const Node *fetch : found)
    for (const Node *action : phase_.actions)
      if (fetch->begin >= action->begin && fetch->end <= action->end &&
          turn_of(kernel_, *action, *fetch).count == 0)
        other = true;
  return other ? std::vector<const Node *>{} : found;
}

std::expected<void, Obstacle> Splitter::take(const Node &statement) {
  if (is_barrier(statement)) return close_phase();
  if (statement.kind == Kind::declaration && !is_variable(statement))
    return obstacle("something other than a variable is declared in the kernel", statement.line);
  if (shared_declaration(statement)) {
    shape_.shared.push_back(&statement);
    return {};
  }
  if (statement.kind == Kind::empty) return {};
  if (phase_.actions.empty() ? take_definitions(statement) : false) return {};
  if (!phase_.actions.empty() && computes_only(statement) && take_definitions(statement)) {
    // A new value between two actions would also reach the earlier action.
    const int variable = definitions_.back().variable;
    for (const Node *action : phase_.actions)
      if (mentions(*action, variable))
        return obstacle(fmt::format("'{}' changes within a phase", kernel_.variables[variable].name),
                        statement.line);
    return {};
  }
  for (const Definition &it : definitions_)
    if (const Node *write = assigned(statement, it.variable))
      return obstacle(fmt::format("'{}' changes inside a statement", kernel_.variables[it.variable].name),
                      write->line);
  for (const int parameter : kernel_.parameters)
    if (const Node *write = assigned(statement, parameter))
      return obstacle(fmt::format("'{}' changes", kernel_.variables[parameter].name), write->line);
  phase_.actions.push_back(&statement);
  return {};
}

std::expected<TileShape, Obstacle> Splitter::run() {
  if (auto fine = check(); !fine) return std::unexpected(fine.error());
  for (const Node &statement : kernel_.body.children)
    if (auto fine = take(statement); !fine) return std::unexpected(fine.error());
  if (auto fine = close_phase(); !fine) return std::unexpected(fine.error());
  walk(kernel_.body, [&](const Node &node) {
    if (node.kind == Kind::builtin && node.text.starts_with("blockIdx."))
      shape_.uses[node.text.back() - 'x'] = true;
  });
  if (shape_.phases.size() < 2)
    return obstacle("the kernel has no barrier at the top of its body", kernel_.line);
  return std::move(shape_);
}

bool holds(const Node &tree, const Node &node) {
  return tree.begin <= node.begin && node.end <= tree.end;
}

}  // namespace

std::expected<TileShape, Obstacle> tile_shape(const Kernel &kernel) {
  return Splitter(kernel).run();
}

Turn turn_of(const Kernel &kernel, const Node &tree, const Node &node) {
  Turn turn;
  const Node *at = &tree;
  while (at != &node) {
    if (at->kind == Kind::while_ || at->kind == Kind::do_) return {"", 0};
    if (at->kind == Kind::for_ && holds(at->children[3], node)) {
      const Node &initial = at->children[0], &test = bare(at->children[1]), &step = at->children[2];
      const bool counted = initial.kind == Kind::declaration && initial.children.size() == 1 &&
                           initial.children[0].children.size() == 1 && test.kind == Kind::binary &&
                           test.text == "<" && is_name(test.children[0], initial.children[0].variable) &&
                           !assigned(at->children[3], initial.children[0].variable);
      if (!counted) return {"", 0};
      const auto &first = initial.children[0].children[0].value, &end = test.children[1].value;
      if (!first || !end) return {"", 0};
      const int variable = initial.children[0].variable;
      std::int64_t by = 0;
      if (step.kind == Kind::unary && step.text == "++" && is_name(step.children[0], variable)) by = 1;
      if (step.kind == Kind::assign && step.text == "+=" && is_name(step.children[0], variable))
        by = step.children[1].value.value_or(0);
      const std::int64_t from = *first, to = *end;
      if (by <= 0 || to <= from || from != 0) return {"", 0};
      const std::int64_t turns = (to - from + by - 1) / by;
      const std::string own = by == 1 ? kernel.variables[variable].name
                                      : fmt::format("{} / {}", kernel.variables[variable].name, by);
      turn.index = turn.count == 1 ? own : fmt::format("({}) * {} + {}", turn.index, turns, own);
      turn.count *= turns;
    }
    const Node *next = nullptr;
    for (const Node &child : at->children)
      if (child.kind != Kind::none && holds(child, node)) next = &child;
    if (!next) return {"", 0};
    at = next;
  }
  return turn.count <= 64 ? turn : Turn{"", 0};
}

}  // namespace cupilot::rewrite
