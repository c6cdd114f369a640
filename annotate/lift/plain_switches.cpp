// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
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

bool is_label(const Node &node) {
  return node.kind == Kind::other_statement && (node.text == "case" || node.text == "default");
}

/// A `break` of the switch within a branch, or a label there.
bool leaves(const Node &node) {
  if (node.kind == Kind::break_ || is_label(node)) return true;
  if (node.kind == Kind::for_ || node.kind == Kind::while_ || node.kind == Kind::do_) return false;
  return std::ranges::any_of(node.children, leaves);
}

/// A `switch` of which every case ends in `break`, as `if (v == 0) ... else if (v == 1) ...`, after the value
/// has a name. nullopt: it is another one.
std::optional<Node> branches(Kernel &kernel, const Node &node) {
  if (node.children.size() != 2 || node.children[1].kind != Kind::compound || has_steps(node.children[0]))
    return std::nullopt;
  struct Cases {
    std::vector<Node> labels, body;
    bool otherwise = false, ends = false;
  };
  std::vector<Cases> groups;
  for (const Node &part : node.children[1].children) {
    const Node *statement = &part;
    const bool label = is_label(part);
    if (label) {
      if (!groups.empty() && !groups.back().ends) return std::nullopt;
      groups.emplace_back();
    }
    for (; is_label(*statement); statement = &statement->children.back()) {
      if (statement->children.size() != (statement->text == "case" ? 2u : 1u)) return std::nullopt;
      if (statement->text == "case")
        groups.back().labels.push_back(statement->children[0]);
      else
        groups.back().otherwise = true;
    }
    if (groups.empty() || groups.back().ends) return std::nullopt;
    groups.back().ends = statement->kind == Kind::break_;
    if (!groups.back().ends && leaves(*statement)) return std::nullopt;
    if (!groups.back().ends) groups.back().body.push_back(*statement);
  }
  const Node name =
      name_at(node.children[0], kernel, {"chosen", node.children[0].type, Storage::local, true});
  Node chain{.kind = Kind::none};
  for (const Cases &group : groups)
    if (group.otherwise) chain = compound_at(node, group.body);
  for (std::size_t i = groups.size(); i-- > 0;) {
    if (groups[i].otherwise) continue;
    Node condition;
    for (const Node &label : groups[i].labels) {
      Node equal = condition_of("==", name, label);
      condition = condition.kind == Kind::none ? std::move(equal)
                                               : condition_of("||", std::move(condition), std::move(equal));
    }
    Node branch = node_at(node, Kind::if_);
    branch.children = {std::move(condition), compound_at(node, groups[i].body), std::move(chain)};
    chain = std::move(branch);
  }
  return compound_at(node, {declaration_of(name, node.children[0]), std::move(chain)});
}

void look(Kernel &kernel, Node &node) {
  for (Node &child : node.children) look(kernel, child);
  if (node.kind == Kind::switch_)
    if (auto chain = branches(kernel, node)) node = *std::move(chain);
}

}  // namespace

void write_out_switches(Kernel &kernel) {
  look(kernel, kernel.body);
  for (rewrite::Function &function : kernel.functions) look(kernel, function.body);
}

}  // namespace cupilot::lift
