// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/plain_nodes.h"

#include <utility>

#include "annotate/rewrite/analysis.h"

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

bool is_number_array(const rewrite::Variable &variable) {
  return variable.storage == rewrite::Storage::local && variable.type.kind == Type::Kind::array &&
         variable.type.element_scalar && !variable.type.element_volatile && !variable.type.extents.empty();
}

Node integer_at(const Node &at, std::int64_t value) {
  Node made{.kind = Kind::integer, .begin = at.begin, .end = at.end, .line = at.line, .value = value};
  made.type = {.kind = Type::Kind::integer, .text = "int", .bits = 32};
  return made;
}

Node compound_at(const Node &at, std::vector<Node> statements) {
  Node block{.kind = Kind::compound, .begin = at.begin, .end = at.end, .line = at.line};
  block.children = std::move(statements);
  return block;
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
