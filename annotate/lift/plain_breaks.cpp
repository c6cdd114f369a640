// SPDX-License-Identifier: Apache-2.0
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

}  // namespace

void continue_past_ends(rewrite::Kernel &kernel) {
  look(kernel.body);
  for (rewrite::Function &function : kernel.functions) look(function.body);
}

}  // namespace cupilot::lift
