// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kernel;
using rewrite::Kind;
using rewrite::Node;
using rewrite::Type;

// An expression that stands in place of a name stands there as often as the name did.
constexpr int kMostUses = 8;

/// What a branch does, if it only gives variables of outside other values: each by itself under the
/// condition.
class Branch {
public:
  Branch(const Kernel &kernel, const Node &branch) : kernel_(kernel), condition_(branch.children[0]) {}

  std::optional<std::vector<Node>> written_out(const Node &branch) {
    if (!is_quiet(condition_) || !look(branch.children[1])) return std::nullopt;
    const auto changes = [&](const Node &node) {
      return rewrite::find(node, [&](const Node &one) {
               return one.kind == Kind::name && std::ranges::any_of(assignments_, [&](const Node &each) {
                        return each.children[0].variable == one.variable;
                      });
             }) != nullptr;
    };
    // What is read when the condition or a name of the branch is evaluated is what was there before it.
    if (assignments_.empty() || assignments_.size() + values_.size() < 2 || changes(condition_) ||
        std::ranges::any_of(values_, [&](const auto &value) { return changes(value.second); }))
      return std::nullopt;
    std::vector<Node> written;
    for (const Node &assignment : assignments_) {
      Node one{.kind = Kind::if_, .begin = branch.begin, .end = branch.end, .line = assignment.line};
      one.children = {condition_, assignment, Node{.kind = Kind::none}};
      written.push_back(std::move(one));
    }
    return written;
  }

private:
  /// What is evaluated may be so more often, or later, and nobody sees it.
  bool is_quiet(const Node &node) const {
    const rewrite::Effects effects = rewrite::effects_of(kernel_, node);
    return !has_steps(node) && effects.collective == nullptr && effects.atomic == nullptr &&
           effects.opaque == nullptr && effects.volatile_access == nullptr && effects.write == nullptr;
  }

  static bool is_number(const Type &type) {
    return type.kind == Type::Kind::floating || type.kind == Type::Kind::integer ||
           type.kind == Type::Kind::boolean;
  }

  bool look(const Node &body) {
    for (const Node *part : rewrite::parts_of(body)) {
      if (part->kind == Kind::declaration ? !declare(*part) : !assign(*part)) return false;
    }
    return true;
  }

  bool declare(const Node &declaration) {
    for (const Node &one : declaration.children) {
      if (one.kind != Kind::declare) return false;
      const Type &type = kernel_.variables[one.variable].type;
      const bool plain = one.children.size() == 1 && is_quiet(one.children[0]) && is_number(type);
      if (!plain) return false;
      Node value = in_place(one.children[0]);
      if (value.type.text != type.text) {
        Node cast{.kind = Kind::cast, .begin = one.begin, .end = one.end, .line = one.line};
        cast.type = type;
        cast.children.push_back(std::move(value));
        value = std::move(cast);
      }
      values_[one.variable] = std::move(value);
    }
    return true;
  }

  bool assign(const Node &node) {
    const Node &target = node.kind == Kind::assign ? node.children[0] : node;
    const bool own = node.kind == Kind::assign && target.kind == Kind::name && is_number(target.type) &&
                     !values_.contains(target.variable) && is_quiet(node.children[1]);
    if (!own) return false;
    Node assignment = node;
    assignment.children[1] = in_place(node.children[1]);
    assignments_.push_back(std::move(assignment));
    return uses_ <= kMostUses;
  }

  /// With what names of the branch stand for in their places.
  Node in_place(const Node &node) {
    const auto known = node.kind == Kind::name ? values_.find(node.variable) : values_.end();
    if (known != values_.end()) {
      ++uses_;
      return known->second;
    }
    Node made = node;
    for (Node &child : made.children) child = in_place(child);
    return made;
  }

  const Kernel &kernel_;
  const Node &condition_;
  std::map<int, Node> values_;  ///< of names that the branch declares
  std::vector<Node> assignments_;
  int uses_ = 0;
};

void write_out_in(const Kernel &kernel, Node &node) {
  if (node.kind != Kind::compound) return;
  std::vector<Node> parts;
  for (Node &child : node.children) {
    write_out_in(kernel, child);
    const bool branch = child.kind == Kind::if_ && child.children[2].kind == Kind::none;
    if (auto written = branch ? Branch(kernel, child).written_out(child) : std::nullopt)
      std::ranges::move(*written, std::back_inserter(parts));
    else
      parts.push_back(std::move(child));
  }
  node.children = std::move(parts);
}

}  // namespace

void write_out_choices(Kernel &kernel) {
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  if (effects.shared != nullptr || effects.collective != nullptr) write_out_in(kernel, kernel.body);
}

}  // namespace cupilot::lift
