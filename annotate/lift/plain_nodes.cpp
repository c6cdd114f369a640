// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/plain_nodes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Node;
using rewrite::Type;

bool is_step(const Node &node) {
  return node.kind == Kind::assign || (node.kind == Kind::unary && (node.text == "++" || node.text == "--"));
}

bool has_steps(const Node &node) {
  return rewrite::find(node, is_step) != nullptr;
}

const Node &without_braces(const Node &body) {
  const Node *inner = &body;
  while (inner->kind == Kind::compound && inner->children.size() == 1) inner = &inner->children[0];
  return *inner;
}

const Node *assignment_alone(const Node &body) {
  const auto parts = rewrite::parts_of(body);
  const bool alone = parts.size() == 1 && parts[0]->kind == Kind::assign && parts[0]->text == "=";
  return alone ? parts[0] : nullptr;
}

const Node *only_assignment(const Node &branch) {
  if (branch.kind != Kind::if_ || branch.children[2].kind != Kind::none) return nullptr;
  return assignment_alone(branch.children[1]);
}

int counter_upwards(const Node &loop) {
  const Node &init = loop.children[0], &step = loop.children[2];
  if (init.kind != Kind::declaration || init.children.size() != 1) return -1;
  const int counter = init.children[0].variable;
  const bool one = step.kind == Kind::unary && step.text == "++";
  const bool more = step.kind == Kind::assign && step.text == "+=" && step.children[1].value.value_or(0) > 0;
  const bool own = (one || more) && rewrite::is_name(step.children[0], counter);
  return own && rewrite::assigned(loop.children[3], counter) == nullptr ? counter : -1;
}

bool is_hinted_store(const Node &node) {
  static constexpr std::array kHinted{"__stcs", "__stcg", "__stwb", "__stwt"};
  return node.kind == Kind::call && node.children.size() == 2 &&
         std::ranges::find(kHinted, node.text) != kHinted.end();
}

const Node *break_condition(const Node &node) {
  if (node.kind != Kind::if_ || node.children[2].kind != Kind::none) return nullptr;
  return without_braces(node.children[1]).kind == Kind::break_ ? &rewrite::bare(node.children[0]) : nullptr;
}

bool stays_true(const Node &condition, const Node &body, int counter) {
  const bool beyond = condition.kind == Kind::binary && (condition.text == ">=" || condition.text == ">") &&
                      condition.children[0].type.kind == Type::Kind::integer;
  if (!beyond || rewrite::mentions(condition.children[1], counter)) return false;
  const Node *grows = &rewrite::bare(condition.children[0]);
  if (grows->kind == Kind::name)
    for (const Node *one : rewrite::parts_of(body))
      if (one->kind == Kind::declaration && one->children.size() == 1 &&
          one->children[0].variable == grows->variable && !one->children[0].children.empty()) {
        grows = &one->children[0].children[0];
        break;
      }
  const auto falls = [&](const Node &one) {
    const bool other = one.kind == Kind::binary && one.text != "+" && one.text != "*";
    // How often the counter counts is a number, or how many threads or blocks there are: nothing below 0.
    const bool times =
        one.kind == Kind::binary && one.text == "*" && rewrite::mentions(one, counter) &&
        rewrite::find(one, [&](const Node &part) {
          return part.kind == Kind::name && part.variable != counter && !(part.value && *part.value >= 0);
        }) != nullptr;
    const bool changed =
        one.kind == Kind::name && one.variable != counter && rewrite::assigned(body, one.variable) != nullptr;
    return other || times || changed || one.kind == Kind::unary || one.kind == Kind::call ||
           one.kind == Kind::subscript || one.kind == Kind::conditional;
  };
  return rewrite::mentions(*grows, counter) && rewrite::find(*grows, falls) == nullptr &&
         rewrite::find(condition.children[1], [&](const Node &one) {
           return one.kind == Kind::call || one.kind == Kind::subscript || is_step(one) ||
                  (one.kind == Kind::name && rewrite::assigned(body, one.variable) != nullptr);
         }) == nullptr;
}

bool is_number_array(const rewrite::Variable &variable) {
  return variable.storage == rewrite::Storage::local && variable.type.kind == Type::Kind::array &&
         variable.type.element_scalar && !variable.type.element_volatile && !variable.type.extents.empty();
}

Node node_at(const Node &at, Kind kind, std::string text) {
  return {.kind = kind, .text = std::move(text), .begin = at.begin, .end = at.end, .line = at.line};
}

Node binary_of(std::string op, Node left, Node right, Type type) {
  Node made = node_at(left, Kind::binary, std::move(op));
  made.type = std::move(type);
  made.children = {std::move(left), std::move(right)};
  return made;
}

Node condition_of(std::string op, Node left, Node right) {
  return binary_of(std::move(op), std::move(left), std::move(right),
                   {.kind = Type::Kind::boolean, .text = "bool", .bits = 1});
}

Node integer_at(const Node &at, std::int64_t value) {
  Node made = node_at(at, Kind::integer);
  made.value = value;
  made.type = {.kind = Type::Kind::integer, .text = "int", .bits = 32};
  return made;
}

Node compound_at(const Node &at, std::vector<Node> statements) {
  Node block = node_at(at, Kind::compound);
  block.children = std::move(statements);
  return block;
}

Node call_at(const Node &at, const std::string &function, const Type &type, std::vector<Node> arguments) {
  Node call = node_at(at, Kind::call, function);
  call.type = type;
  call.children = std::move(arguments);
  return call;
}

Node assignment_of(const std::string &op, Node target, Node value) {
  Node made = node_at(target, Kind::assign, op);
  made.type = target.type;
  made.children = {std::move(target), std::move(value)};
  return made;
}

Node name_at(const Node &at, rewrite::Kernel &kernel, rewrite::Variable variable) {
  variable.in_kernel = true;
  variable.type.is_reference = false;
  Node name{.kind = Kind::name, .text = variable.name, .begin = at.begin, .end = at.end, .line = at.line};
  name.type = variable.type;
  name.variable = static_cast<int>(kernel.variables.size());
  kernel.variables.push_back(std::move(variable));
  return name;
}

Node declaration_of(const Node &name, Node value) {
  Node declaration{.kind = Kind::declaration, .begin = value.begin, .end = value.end, .line = value.line};
  Node declare = name;
  declare.kind = Kind::declare;
  declare.line = value.line;
  declare.children = {std::move(value)};
  declaration.children = {std::move(declare)};
  return declaration;
}

}  // namespace cupilot::lift
