// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
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

/// Finds which variables are nothing but threads' indices, and takes conditions apart by them.
class Conditions {
public:
  explicit Conditions(const Node &body) {
    std::set<int> changed;
    rewrite::walk(body, [&](const Node &one) {
      if (is_step(one) && one.children[0].kind == Kind::name) changed.insert(one.children[0].variable);
    });
    rewrite::walk(body, [&](const Node &one) {
      const bool constant = one.kind == Kind::declare && !changed.contains(one.variable);
      if (constant && one.children.size() == 1 && of_threads(one.children[0])) threads_.insert(one.variable);
    });
  }

  void take_apart(Node &node) const {
    for (Node &child : node.children) take_apart(child);
    if (node.kind != Kind::if_ || node.children[2].kind != Kind::none) return;
    std::vector<Node> own, others;
    collect(node.children[0], own, others);
    const auto acts = [](const Node &one) {
      return rewrite::find(one, [](const Node &part) {
               return part.kind == Kind::subscript || part.kind == Kind::call || is_step(part) ||
                      (part.kind == Kind::unary && part.text == "*");
             }) != nullptr;
    };
    // What reads memory may do so only behind the conditions before it.
    if (own.empty() || others.empty() || std::ranges::any_of(others, acts)) return;
    Node inner = node;
    inner.children[0] = joined(std::move(own));
    node.children[0] = joined(std::move(others));
    node.children[1] = std::move(inner);
  }

private:
  bool of_threads(const Node &node) const {
    bool thread = false;
    const bool else_too =
        rewrite::find(node, [&](const Node &one) {
          const bool index = one.kind == Kind::builtin && one.text.starts_with("threadIdx.");
          thread = thread || index || (one.kind == Kind::name && threads_.contains(one.variable));
          return (one.kind == Kind::builtin && !index) || one.kind == Kind::subscript ||
                 one.kind == Kind::call || is_step(one) ||
                 (one.kind == Kind::name && !threads_.contains(one.variable));
        }) != nullptr;
    return thread && !else_too;
  }

  /// The parts of a conjunction.
  void collect(const Node &condition, std::vector<Node> &own, std::vector<Node> &others) const {
    if (condition.kind == Kind::binary && condition.text == "&&") {
      collect(condition.children[0], own, others);
      collect(condition.children[1], own, others);
      return;
    }
    (of_threads(condition) ? own : others).push_back(condition);
  }

  static Node joined(std::vector<Node> parts) {
    Node all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      Node both{
          .kind = Kind::binary, .text = "&&", .begin = all.begin, .end = parts[i].end, .line = all.line};
      both.type = all.type;
      both.children = {std::move(all), std::move(parts[i])};
      all = std::move(both);
    }
    return all;
  }

  std::set<int> threads_;
};

}  // namespace

void part_conditions(Kernel &kernel) {
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  if (effects.shared != nullptr) Conditions(kernel.body).take_apart(kernel.body);
}

}  // namespace cupilot::lift
