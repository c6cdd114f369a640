// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Storage;
using rewrite::Type;

/// `for (int i = begin; i < end; i += step)`.
struct Count {
  int counter = -1;
  Node begin, end;
  std::int64_t step = 1;
};

/// By what a statement moves a variable at every iteration.
struct Move {
  int variable = -1;
  Node by;
  bool back = false;
};

class Inductions {
public:
  Inductions(Kernel &kernel, Node &function) : kernel_(kernel), function_(function) {}

  void run() { look(function_); }

private:
  const rewrite::Variable &variable(int index) const {
    return kernel_.variables[static_cast<std::size_t>(index)];
  }

  /// Loops inside of others first: what they leave moves by a distance is a statement of the outer one then.
  void look(Node &node) {
    const bool loop = node.kind == Kind::for_ || node.kind == Kind::while_ || node.kind == Kind::do_;
    depth_ += loop;
    for (Node &child : node.children) {
      if (loop && child.kind == Kind::for_) child = compound_at(child, {child});
      look(child);
    }
    depth_ -= loop;
    if (node.kind != Kind::compound) return;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      std::vector<Node> behind = closed(node, i);
      node.children.insert(node.children.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                           std::make_move_iterator(behind.begin()), std::make_move_iterator(behind.end()));
      i += behind.size();
    }
  }

  /// Takes the variables out of a loop that it moves evenly; what comes behind it.
  std::vector<Node> closed(Node &block, std::size_t at) {
    Node &loop = block.children[at];
    std::vector<Node> behind;
    const auto count = loop.kind == Kind::for_ ? count_of(loop) : std::nullopt;
    if (!count || loop.children[3].kind != Kind::compound || goes_elsewhere(loop.children[3])) return behind;
    Node &body = loop.children[3];
    for (std::size_t i = 0; i < body.children.size();) {
      const auto move = move_of(body.children[i]);
      const auto distance = move ? distance_of(*move, *count, loop) : std::nullopt;
      if (!distance) {
        ++i;
        continue;
      }
      const std::string op = move->back ? "-" : "+";
      const Node moved = body.children[i];
      body.children.erase(body.children.begin() + static_cast<std::ptrdiff_t>(i));
      for (std::size_t part = 0; part < body.children.size(); ++part)
        put(body.children[part], *move, op, *distance, part >= i);
      if (!used_behind(block, at, move->variable)) continue;
      behind.push_back(behind_of(moved, *move, *count));
      passed_on_.insert(move->variable);
    }
    return behind;
  }

  /// A `continue` or `break` of this loop itself, or a `return`.
  static bool goes_elsewhere(const Node &body) {
    if (body.kind == Kind::continue_ || body.kind == Kind::break_ || body.kind == Kind::return_) return true;
    const bool loop = body.kind == Kind::for_ || body.kind == Kind::while_ || body.kind == Kind::do_;
    return std::ranges::any_of(body.children, [&](const Node &child) {
      return loop ? rewrite::find(child, [](const Node &one) { return one.kind == Kind::return_; }) != nullptr
                  : goes_elsewhere(child);
    });
  }

  /// Whether an expression has the same value wherever it stands in the loop.
  static bool is_steady(const Node &node, const Node &loop) {
    return rewrite::find(node, [&](const Node &one) {
             const bool plain =
                 one.kind == Kind::name || one.kind == Kind::integer || one.kind == Kind::cast ||
                 one.kind == Kind::builtin || (one.kind == Kind::call && one.text == kTrips) ||
                 (one.kind == Kind::literal && one.value) || (one.kind == Kind::binary && !one.overloaded) ||
                 (one.kind == Kind::unary && (one.text == "-" || one.text == "+"));
             const bool changes =
                 one.kind == Kind::name && !one.value &&
                 (rewrite::assigned(loop, one.variable) != nullptr || declares(loop, one.variable));
             return !plain || changes;
           }) == nullptr;
  }

  static bool declares(const Node &tree, int variable) {
    return rewrite::find(tree, [&](const Node &one) {
             return one.kind == Kind::declare && one.variable == variable;
           }) != nullptr;
  }

  std::optional<Count> count_of(const Node &loop) const {
    const int counter = counter_upwards(loop);
    if (counter < 0 || loop.children[0].children[0].children.size() != 1) return std::nullopt;
    const Node &condition = rewrite::bare(loop.children[1]), &step = loop.children[2];
    const bool bounded = condition.kind == Kind::binary && !condition.overloaded &&
                         (condition.text == "<" || condition.text == "<=") &&
                         rewrite::is_name(rewrite::bare(condition.children[0]), counter);
    Count count{counter, loop.children[0].children[0].children[0], {}, 1};
    if (!bounded || !is_steady(count.begin, loop) || !is_steady(condition.children[1], loop))
      return std::nullopt;
    count.end = condition.children[1];
    if (condition.text == "<=")
      count.end = binary_of("+", count.end, integer_at(count.end, 1), count.end.type);
    if (step.kind == Kind::assign) count.step = step.children[1].value.value_or(1);
    return count;
  }

  static std::optional<Move> move_of(const Node &node) {
    if (node.children.empty() || node.children[0].kind != Kind::name || node.overloaded) return std::nullopt;
    const Node &target = node.children[0];
    // Narrower ones go round.
    const bool whole = (target.type.kind == Type::Kind::integer && target.type.bits >= 32) ||
                       target.type.kind == Type::Kind::pointer;
    if (!whole) return std::nullopt;
    if (node.kind == Kind::unary && (node.text == "++" || node.text == "--"))
      return Move{target.variable, integer_at(node, 1), node.text == "--"};
    if (node.kind != Kind::assign) return std::nullopt;
    if (node.text == "+=" || node.text == "-=")
      return Move{target.variable, node.children[1], node.text == "-="};
    const Node &value = node.children[1];
    const bool sum = node.text == "=" && value.kind == Kind::binary && !value.overloaded &&
                     (value.text == "+" || value.text == "-") &&
                     rewrite::is_name(value.children[0], target.variable);
    return sum ? std::optional(Move{target.variable, value.children[1], value.text == "-"}) : std::nullopt;
  }

  /// How far the variable has moved in an iteration: `(i - begin) * by`.
  std::optional<Node> distance_of(const Move &move, const Count &count, const Node &loop) const {
    // A pointer that goes on in another loop, or in shared memory; the lifter follows others itself.
    if (variable(move.variable).type.kind == Type::Kind::pointer && depth_ == 0 &&
        !passed_on_.contains(move.variable))
      return std::nullopt;
    int moves = 0;
    rewrite::walk(loop, [&](const Node &one) {
      const Node *target = rewrite::written_lvalue(one);
      moves += target != nullptr && rewrite::is_name(*target, move.variable);
    });
    const Storage storage = variable(move.variable).storage;
    const bool own = storage == Storage::local || storage == Storage::parameter;
    if (moves != 1 || move.variable == count.counter || !own || declares(loop, move.variable) ||
        variable(move.variable).type.is_reference || !is_steady(move.by, loop))
      return std::nullopt;
    const auto factor = divided(move.by, count.step);
    if (!factor) return std::nullopt;
    Node counter = node_at(move.by, Kind::name, variable(count.counter).name);
    counter.variable = count.counter;
    counter.type = variable(count.counter).type;
    Node passed = count.begin.value == 0
                      ? std::move(counter)
                      : binary_of("-", std::move(counter), count.begin, variable(count.counter).type);
    return factor->value == 1 ? passed : times(std::move(passed), *factor, move.variable);
  }

  /// `8 * n` by 4 is `2 * n`.
  static std::optional<Node> divided(const Node &by, std::int64_t step) {
    if (step == 1) return by;
    if (by.value)
      return *by.value % step == 0 ? std::optional(integer_at(by, *by.value / step)) : std::nullopt;
    if (by.kind != Kind::binary || by.text != "*" || by.overloaded) return std::nullopt;
    for (std::size_t side = 0; side < 2; ++side)
      if (auto part = divided(by.children[side], step)) {
        Node whole = by;
        whole.children[side] = *std::move(part);
        return whole;
      }
    return std::nullopt;
  }

  /// A product that is as wide as the variable that it is added to.
  Node times(Node count, const Node &factor, int moved) const {
    const Type &type = variable(moved).type;
    const Type wide{.kind = Type::Kind::integer, .text = "long long", .bits = 64};
    const Type &own = type.kind == Type::Kind::pointer ? wide : type;
    if (own.bits > count.type.bits) {
      Node cast = node_at(count, Kind::cast);
      cast.type = own;
      cast.children = {std::move(count)};
      count = std::move(cast);
    }
    return binary_of("*", std::move(count), factor, own.bits > factor.type.bits ? own : factor.type);
  }

  /// The variable where it is read: as it was before the loop, and how far it has moved since.
  void put(Node &node, const Move &move, const std::string &op, const Node &distance, bool later) const {
    if (!rewrite::is_name(node, move.variable)) {
      for (Node &child : node.children) put(child, move, op, distance, later);
      return;
    }
    const Type type = node.type;
    Node moved = binary_of(op, node, distance, type);
    node = later ? binary_of(op, std::move(moved), move.by, type) : std::move(moved);
  }

  /// Whether anything looks at the variable once the loop is left.
  bool used_behind(const Node &block, std::size_t at, int moved) const {
    bool own = false;
    for (std::size_t i = 0; i < at; ++i)
      own = own || (block.children[i].kind == Kind::declaration && declares(block.children[i], moved));
    if (!own && &block == &function_) own = true;  // a parameter
    if (!own) return true;
    return std::any_of(block.children.begin() + static_cast<std::ptrdiff_t>(at) + 1, block.children.end(),
                       [&](const Node &part) { return rewrite::mentions(part, moved); });
  }

  Node behind_of(const Node &statement, const Move &move, const Count &count) const {
    Node trips = node_at(statement, Kind::call, kTrips);
    trips.type = count.end.type;
    trips.children = {count.begin, count.end, integer_at(statement, count.step)};
    if (count.begin.value && count.end.value) {
      const std::int64_t all = *count.end.value - *count.begin.value;
      trips = integer_at(statement, all > 0 ? (all + count.step - 1) / count.step : 0);
    }
    Node behind = node_at(statement, Kind::assign, move.back ? "-=" : "+=");
    behind.type = statement.children[0].type;
    const bool numbers = trips.value && move.by.value;
    Node all = numbers              ? integer_at(statement, *trips.value * *move.by.value)
               : move.by.value == 1 ? std::move(trips)
                                    : times(std::move(trips), move.by, move.variable);
    behind.children = {statement.children[0], std::move(all)};
    return behind;
  }

  Kernel &kernel_;
  Node &function_;
  int depth_ = 0;              ///< loops around
  std::set<int> passed_on_{};  ///< variables that a loop inside moves, too
};

}  // namespace

void close_inductions(Kernel &kernel) {
  Inductions(kernel, kernel.body).run();
  for (rewrite::Function &function : kernel.functions) Inductions(kernel, function.body).run();
}

}  // namespace cupilot::lift
