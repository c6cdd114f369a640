// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/plain.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {
namespace {

using rewrite::Kind;
using rewrite::Node;

/// The counter of `for (int i = begin; ...; ++i)` or `i += number`; -1: it counts in another way.
int counter_upwards(const Node &loop) {
  const Node &init = loop.children[0], &step = loop.children[2];
  if (init.kind != Kind::declaration || init.children.size() != 1) return -1;
  const int counter = init.children[0].variable;
  const bool one = step.kind == Kind::unary && step.text == "++";
  const bool more = step.kind == Kind::assign && step.text == "+=" && step.children[1].value.value_or(0) > 0;
  const bool own =
      (one || more) && step.children[0].kind == Kind::name && step.children[0].variable == counter;
  return own && rewrite::assigned(loop.children[3], counter) == nullptr ? counter : -1;
}

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
