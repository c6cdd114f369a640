// SPDX-License-Identifier: Apache-2.0
//
// Only forms whose result does not depend on the order of the columns are accepted (rounding aside). Among
// the comparison forms these are the ones that keep the old value when the test is false. With a NaN in the
// row, the result of the other forms depends on the order.

#include "annotate/rewrite/rows_reduce.h"

#include <cstdlib>

namespace cupilot::rewrite {
namespace {

struct Operation {
  const char *text, *name, *combine, *identity;
  bool repeatable;
};

constexpr Operation kOperators[] = {
    {"+", "sum", "value + other", "0", false},     {"-", "sum", "value + other", "0", false},
    {"*", "product", "value * other", "1", false}, {"|", "or", "value | other", "0", true},
    {"&", "and", "value & other", "~0", true},     {"^", "xor", "value ^ other", "0", false},
};
constexpr const char *kExtrema[] = {"fmaxf", "fmax", "max",  "fminf", "fmin",
                                    "min",   "umax", "umin", "llmax", "llmin"};

Accumulator from(const Operation &operation) {
  return {-1, operation.name, operation.combine, operation.repeatable, operation.identity};
}

std::optional<Accumulator> by_operator(const std::string &text) {
  for (const Operation &operation : kOperators)
    if (text == operation.text) return from(operation);
  return std::nullopt;
}

/// Exactly one of the nodes is the accumulator itself, and the others do not mention it.
bool one_is(const std::vector<Node> &nodes, int variable) {
  int own = 0;
  for (const Node &node : nodes) {
    if (is_name(node, variable))
      ++own;
    else if (mentions(node, variable))
      return false;
  }
  return own == 1;
}

/// Recognises `e > acc` or `acc < e` (maximum) and `e < acc` or `acc > e` (minimum), and returns e.
const Node *better(const Node &test, int variable, bool &maximum) {
  if (test.kind != Kind::binary || test.overloaded || (test.text != "<" && test.text != ">")) return nullptr;
  for (int side = 0; side < 2; ++side)
    if (is_name(test.children[side], variable) && !mentions(test.children[1 - side], variable)) {
      maximum = (test.text == "<") == (side == 0);
      return &test.children[1 - side];
    }
  return nullptr;
}

Accumulator by_comparison(bool maximum) {
  return maximum ? Accumulator{-1, "greatest", "other > value ? other : value", true, ""}
                 : Accumulator{-1, "least", "other < value ? other : value", true, ""};
}

std::optional<Accumulator> by_value(const Node &value, int variable) {
  if (value.overloaded) return std::nullopt;
  if (value.kind == Kind::binary && value.text != "-" && one_is(value.children, variable))
    return by_operator(value.text);
  if (value.kind == Kind::binary && value.text == "-" && is_name(value.children[0], variable) &&
      !mentions(value.children[1], variable))
    return by_operator("-");
  if (value.kind == Kind::call && value.function < 0 && value.children.size() == 2 &&
      one_is(value.children, variable))
    for (const char *extremum : kExtrema)
      if (value.text == extremum) return Accumulator{-1, extremum, value.text + "(value, other)", true, ""};
  const bool fused =
      value.kind == Kind::call && (value.text == "fmaf" || value.text == "fma" || value.text == "__fmaf_rn");
  if (fused && value.children.size() == 3 && is_name(value.children[2], variable) &&
      one_is(value.children, variable))
    return by_operator("+");
  bool maximum = false;
  if (value.kind == Kind::conditional)
    if (const Node *e = better(bare(value.children[0]), variable, maximum);
        e && same(*e, value.children[1]) && is_name(value.children[2], variable))
      return by_comparison(maximum);
  return std::nullopt;
}

/// The accumulator that a statement or expression updates, if the node is such an update.
std::optional<Accumulator> update(const Node &node, int variable) {
  bool maximum = false;
  if (node.kind == Kind::if_ && node.children[2].kind == Kind::none) {
    const Node *inner = &node.children[1];
    while (inner->kind == Kind::compound && inner->children.size() == 1) inner = &inner->children[0];
    const Node *e = better(bare(node.children[0]), variable, maximum);
    if (e && inner->kind == Kind::assign && inner->text == "=" && is_name(inner->children[0], variable) &&
        same(*e, inner->children[1]))
      return by_comparison(maximum);
    return std::nullopt;
  }
  if (node.kind == Kind::unary && node.text == "++") return by_operator("+");
  if (node.kind != Kind::assign || node.overloaded || !is_name(node.children[0], variable))
    return std::nullopt;
  if (node.text == "=") return by_value(bare(node.children[1]), variable);
  if (mentions(node.children[1], variable)) return std::nullopt;
  return by_operator(node.text.substr(0, node.text.size() - 1));
}

/// Searches statements only, because an update inside an expression would use the running value.
const Node *find_statement(const Node &tree, const std::function<bool(const Node &)> &fits) {
  if (fits(tree)) return &tree;
  std::size_t first = 0, end = tree.children.size();
  if (tree.kind == Kind::if_)
    first = 1;
  else if (tree.kind == Kind::for_)
    first = 3;
  else if (tree.kind == Kind::while_)
    first = 1;
  else if (tree.kind == Kind::do_)
    end = 1;
  else if (tree.kind != Kind::compound)
    return nullptr;
  for (std::size_t i = first; i < end; ++i)
    if (const Node *found = find_statement(tree.children[i], fits)) return found;
  return nullptr;
}

int count_mentions(const Node &tree, int variable) {
  int count = 0;
  walk(tree, [&](const Node &node) { count += node.kind == Kind::name && node.variable == variable; });
  return count;
}

bool is_number(const Kernel &kernel, const Node &node, const std::string &number) {
  if (node.value) return std::to_string(*node.value) == number || (number == "~0" && *node.value == -1);
  if (node.kind != Kind::literal || number == "~0") return false;
  const std::string text = text_of(kernel, node);
  char *end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && value == std::strtod(number.c_str(), nullptr);
}

}  // namespace

std::expected<Accumulator, Obstacle> accumulator(const Kernel &kernel, const Node &body, int variable) {
  const Variable &it = kernel.variables[variable];
  const Node *write = assigned(body, variable);
  const std::string quoted = "'" + it.name + "'";
  const bool arithmetic = (it.type.kind == Type::Kind::floating || it.type.kind == Type::Kind::integer) &&
                          (it.type.bits == 32 || it.type.bits == 64) && !it.type.is_reference;
  if (!arithmetic)
    return std::unexpected(Obstacle{
        quoted + " is carried from column to column and is not a 32-bit or 64-bit number", write->line});
  std::optional<Accumulator> found;
  const Node *whole = find_statement(body, [&](const Node &node) {
    found = update(node, variable);
    return found.has_value();
  });
  if (!whole || !found || count_mentions(*whole, variable) != count_mentions(body, variable))
    return std::unexpected(Obstacle{
        quoted + " is carried from column to column in a way that depends on their order", write->line});
  found->variable = variable;
  return *found;
}

bool starts_at_identity(const Kernel &kernel, const RowShape &shape, int part, const Accumulator &it) {
  if (it.repeatable) return true;
  for (int before = part - 1; before >= 0; --before) {
    const Node &statement = *shape.parts[before].statement;
    if (assigned(statement, it.variable)) return false;
    const Node *declared_at = find(statement, [&](const Node &node) {
      return node.kind == Kind::declare && node.variable == it.variable;
    });
    if (declared_at)
      return declared_at->children.size() == 1 && is_number(kernel, declared_at->children[0], it.identity);
  }
  return false;
}

}  // namespace cupilot::rewrite
