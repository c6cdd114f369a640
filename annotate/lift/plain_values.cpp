// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
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
using rewrite::Storage;
using rewrite::Type;

constexpr std::int64_t kMostChoices = 16;

int writes_of(const Node &tree, int variable) {
  int writes = 0;
  rewrite::walk(tree, [&](const Node &one) {
    const Node *target = rewrite::written_lvalue(one);
    writes += target != nullptr && rewrite::root_variable(*target) == variable;
  });
  return writes;
}

bool is_number(const Type &type) {
  return (type.kind == Type::Kind::floating || type.kind == Type::Kind::integer) && !type.is_volatile &&
         !type.is_reference;
}

/// A number, or a name that never changes.
bool is_steady(const Node &value, const Node &function) {
  return rewrite::find(value, [&](const Node &one) {
           const bool plain =
               one.kind == Kind::integer || one.kind == Kind::literal || one.kind == Kind::cast ||
               (one.kind == Kind::unary && (one.text == "-" || one.text == "+")) ||
               (one.kind == Kind::binary && !one.overloaded) ||
               (one.kind == Kind::name && rewrite::assigned(function, one.variable) == nullptr);
           return !plain;
         }) == nullptr;
}

/// `float acc[4] = {...};` alone; nullptr: it is something else.
const Node *declared_array(const Kernel &kernel, const Node &declaration) {
  if (declaration.kind != Kind::declaration || declaration.children.size() != 1) return nullptr;
  const Node &declare = declaration.children[0];
  const bool listed =
      declare.kind == Kind::declare && declare.children.size() == 1 && declare.children[0].kind == Kind::list;
  return listed && is_number_array(kernel.variables[static_cast<std::size_t>(declare.variable)]) ? &declare
                                                                                                 : nullptr;
}

Node choice_at(const Node &at, Node condition, Node value, Node other, const Type &type) {
  Node made = node_at(at, Kind::conditional);
  made.type = type;
  made.children = {std::move(condition), std::move(value), std::move(other)};
  return made;
}

/// Arrays of a thread that are nothing but a few numbers to choose from.
class Tables {
public:
  Tables(Node &function, const Kernel &kernel) : function_(function), kernel_(kernel) {}

  void run() {
    take(function_);
    for (const auto &[array, values] : tables_) replace(function_, array, values);
  }

private:
  void take(Node &node) {
    std::erase_if(node.children, [&](const Node &part) {
      const Node *declare = declared_array(kernel_, part);
      const bool table = declare != nullptr && is_table(*declare);
      if (table) tables_.emplace_back(declare->variable, declare->children[0].children);
      return table;
    });
    for (Node &child : node.children) take(child);
  }

  bool is_table(const Node &declare) const {
    const auto &extents = kernel_.variables[static_cast<std::size_t>(declare.variable)].type.extents;
    const std::vector<Node> &values = declare.children[0].children;
    const auto count = static_cast<std::int64_t>(values.size());
    bool plain = extents.size() == 1 && extents[0] == count && count <= kMostChoices &&
                 writes_of(function_, declare.variable) == 0 &&
                 std::ranges::all_of(values, [&](const Node &one) { return is_steady(one, function_); });
    std::set<const Node *> bases;
    rewrite::walk(function_, [&](const Node &one) {
      if (one.kind == Kind::subscript) bases.insert(&one.children[0]);
      const bool element = one.kind == Kind::subscript && rewrite::is_name(one.children[0], declare.variable);
      if (element) plain = plain && !has_steps(one.children[1]);
      if (rewrite::is_name(one, declare.variable)) plain = plain && bases.contains(&one);
    });
    return plain;
  }

  void replace(Node &node, int array, const std::vector<Node> &values) const {
    for (Node &child : node.children) replace(child, array, values);
    if (node.kind != Kind::subscript || !rewrite::is_name(node.children[0], array)) return;
    const Node index = node.children[1];
    const Type type = node.type;
    if (index.value) {
      if (*index.value >= 0 && *index.value < static_cast<std::int64_t>(values.size()))
        node = values[static_cast<std::size_t>(*index.value)];
      return;
    }
    Node chosen = values.back();
    for (std::size_t i = values.size() - 1; i-- > 0;)
      chosen = choice_at(node, condition_of("==", index, integer_at(node, static_cast<std::int64_t>(i))),
                         values[i], std::move(chosen), type);
    node = std::move(chosen);
  }

  Node &function_;
  const Kernel &kernel_;
  std::vector<std::pair<int, std::vector<Node>>> tables_;
};

/// Arrays of a thread that begin with zeros.
class Zeros {
public:
  explicit Zeros(Kernel &kernel) : kernel_(kernel) {}

  bool run() {
    look(kernel_.body);
    return found_;
  }

private:
  void look(Node &node) {
    if (node.kind == Kind::compound) {
      std::vector<Node> parts;
      for (Node &child : node.children) {
        const Node *declare = declared_array(kernel_, child);
        const bool zeros = declare != nullptr && is_nothing(declare->children[0]);
        parts.push_back(std::move(child));
        if (!zeros) continue;
        parts.back().children[0].children.clear();
        parts.push_back(filled(parts.back().children[0]));
        found_ = true;
      }
      node.children = std::move(parts);
    }
    for (Node &child : node.children) look(child);
  }

  static bool is_nothing(const Node &list) {
    return std::ranges::all_of(list.children, [](const Node &one) {
      const bool zero = one.value == 0 || (one.kind == Kind::literal && !one.text.empty() &&
                                           one.text.find_first_not_of("0.fF") == std::string::npos);
      return one.kind == Kind::list ? is_nothing(one) : zero;
    });
  }

  /// `for (...) for (...) array[i][j] = 0;`
  Node filled(const Node &declare) {
    const rewrite::Variable variable = kernel_.variables[static_cast<std::size_t>(declare.variable)];
    Node element = node_at(declare, Kind::name, variable.name);
    element.variable = declare.variable;
    element.type = variable.type;
    std::vector<Node> counters;
    for (std::size_t i = 0; i < variable.type.extents.size(); ++i) {
      counters.push_back(
          name_at(declare, kernel_, {"element", integer_at(declare, 0).type, Storage::local, true}));
      Node inner = node_at(declare, Kind::subscript);
      inner.type = element.type;
      inner.type.extents.erase(inner.type.extents.begin());
      if (inner.type.extents.empty())
        inner.type = {
            .kind = Type::Kind::floating, .text = variable.type.element, .bits = variable.type.element_bits};
      inner.children = {std::move(element), counters.back()};
      element = std::move(inner);
    }
    Node zero = node_at(declare, Kind::cast);
    zero.type = element.type;
    zero.children = {integer_at(declare, 0)};
    Node statement = node_at(declare, Kind::assign, "=");
    statement.type = element.type;
    statement.children = {std::move(element), std::move(zero)};
    for (std::size_t i = counters.size(); i-- > 0;) {
      Node step = node_at(declare, Kind::unary, "++");
      step.type = counters[i].type;
      step.children = {counters[i]};
      Node loop = node_at(declare, Kind::for_);
      loop.children = {declaration_of(counters[i], integer_at(declare, 0)),
                       condition_of("<", counters[i], integer_at(declare, variable.type.extents[i])),
                       std::move(step), compound_at(declare, {std::move(statement)})};
      statement = std::move(loop);
    }
    return statement;
  }

  Kernel &kernel_;
  bool found_ = false;
};

/// Variables that get another value once, under a condition.
class Initials {
public:
  Initials(const Kernel &kernel, Node &function) : kernel_(kernel), function_(function) {}

  void run() { look(function_); }

private:
  void look(Node &node) {
    for (Node &child : node.children) look(child);
    if (node.kind != Kind::compound) return;
    for (std::size_t i = 0; i < node.children.size(); ++i)
      while (join(node, i)) {
      }
  }

  /// The declaration at `at`, one of its variables, and the branch that changes it.
  bool join(Node &block, std::size_t at) {
    Node &declaration = block.children[at];
    if (declaration.kind != Kind::declaration) return false;
    for (std::size_t k = 0; k < declaration.children.size(); ++k) {
      const Node &declare = declaration.children[k];
      if (declare.kind != Kind::declare ||
          !is_number(kernel_.variables[static_cast<std::size_t>(declare.variable)].type))
        continue;
      const auto branch = branch_of(block, at, declare);
      if (!branch) continue;
      block.children[*branch] = joined(declare, block.children[*branch]);
      declaration.children.erase(declaration.children.begin() + static_cast<std::ptrdiff_t>(k));
      return true;
    }
    return false;
  }

  std::optional<std::size_t> branch_of(const Node &block, std::size_t at, const Node &declare) const {
    for (std::size_t i = at + 1; i < block.children.size(); ++i) {
      const Node &part = block.children[i];
      if (!rewrite::mentions(part, declare.variable)) continue;
      const Node *then = only_assignment_of(part, 1), *otherwise = only_assignment_of(part, 2);
      const bool alone = part.kind == Kind::if_ && part.children[2].kind == Kind::none;
      const bool both = then != nullptr && otherwise != nullptr &&
                        rewrite::is_name(otherwise->children[0], declare.variable);
      const bool fits =
          then != nullptr && rewrite::is_name(then->children[0], declare.variable) &&
          (both || (alone && declare.children.size() == 1 && is_steady(declare.children[0], function_)));
      const bool reads = fits && (rewrite::mentions(part.children[0], declare.variable) ||
                                  rewrite::mentions(then->children[1], declare.variable) ||
                                  (both && rewrite::mentions(otherwise->children[1], declare.variable)));
      if (!fits || reads || writes_of(function_, declare.variable) != (both ? 2 : 1)) return std::nullopt;
      return i;
    }
    return std::nullopt;
  }

  static const Node *only_assignment_of(const Node &branch, std::size_t side) {
    const Node *alone = branch.kind == Kind::if_ ? assignment_alone(branch.children[side]) : nullptr;
    return alone != nullptr && !has_steps(alone->children[1]) ? alone : nullptr;
  }

  static Node joined(const Node &declare, const Node &branch) {
    const Node *then = only_assignment_of(branch, 1), *otherwise = only_assignment_of(branch, 2);
    Node value = choice_at(branch, branch.children[0], then->children[1],
                           otherwise ? otherwise->children[1] : declare.children[0], declare.type);
    Node name = declare;
    name.children.clear();
    name.line = branch.line;
    return declaration_of(name, std::move(value));
  }

  const Kernel &kernel_;
  Node &function_;
};

}  // namespace

void write_out_tables(Kernel &kernel) {
  Tables(kernel.body, kernel).run();
  for (rewrite::Function &function : kernel.functions) Tables(function.body, kernel).run();
}

bool write_out_zeros(Kernel &kernel) {
  return Zeros(kernel).run();
}

void join_initials(Kernel &kernel) {
  const rewrite::Effects effects = rewrite::effects_of(kernel, kernel.body);
  if (effects.shared != nullptr || effects.collective != nullptr) Initials(kernel, kernel.body).run();
}

}  // namespace cupilot::lift
