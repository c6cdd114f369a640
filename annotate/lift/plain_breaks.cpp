// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>
#include <vector>

#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kind;
using rewrite::Node;

void go_on(Node &node) {
  if (node.kind == Kind::break_) node.kind = Kind::continue_;
  for (Node &child : node.children) go_on(child);
}

void look(Node &node) {
  for (Node &child : node.children) look(child);
  if (node.kind != Kind::for_ || node.children[3].kind != Kind::compound) return;
  const int counter = counter_upwards(node);
  if (counter < 0) return;
  Node &body = node.children[3];
  for (Node &part : body.children) {
    if (part.kind == Kind::declaration && !has_steps(part)) continue;
    const Node *condition = break_condition(part);
    if (condition == nullptr || !stays_true(*condition, body, counter)) return;
    go_on(part.children[1]);
  }
}

/// What comes behind `if (c) continue;` in a loop, where it uses an array of the thread.
void put_under_conditions(const rewrite::Kernel &kernel, Node &node) {
  for (Node &child : node.children) put_under_conditions(kernel, child);
  if (node.kind != Kind::for_ || node.children[3].kind != Kind::compound) return;
  std::vector<Node> &parts = node.children[3].children;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const Node &branch = parts[i];
    const bool skips = branch.kind == Kind::if_ && branch.children[2].kind == Kind::none &&
                       without_braces(branch.children[1]).kind == Kind::continue_ &&
                       !has_steps(branch.children[0]);
    const auto first = parts.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const bool own = std::any_of(first, parts.end(), [&](const Node &part) {
      return rewrite::find(part, [&](const Node &one) {
               return one.kind == Kind::name &&
                      is_number_array(kernel.variables[static_cast<std::size_t>(one.variable)]);
             }) != nullptr;
    });
    if (!skips || !own) continue;
    Node condition = node_at(branch, Kind::unary, "!");
    condition.type = branch.children[0].type;
    condition.children = {branch.children[0]};
    Node rest = branch;
    rest.children = {std::move(condition), compound_at(branch, {first, parts.end()}),
                     Node{.kind = Kind::none}};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i), parts.end());
    parts.push_back(std::move(rest));
  }
}

}  // namespace

void branch_past_continues(rewrite::Kernel &kernel) {
  put_under_conditions(kernel, kernel.body);
}

void continue_past_ends(rewrite::Kernel &kernel) {
  look(kernel.body);
  for (rewrite::Function &function : kernel.functions) look(function.body);
}

}  // namespace cupilot::lift
