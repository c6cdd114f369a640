// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/pointer_uses.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "annotate/rewrite/analysis.h"

namespace cupilot::rewrite {

namespace {

struct Use {
  bool read = false, written = false;
};

bool is_address(const Type &type) {
  return type.kind == Type::Kind::pointer || type.is_reference;
}

class PointerUsesFinder {
public:
  explicit PointerUsesFinder(const Kernel &kernel) : kernel_(kernel) {}

  /// False: the tree does not show everything.
  bool look_at_all() {
    look(kernel_.body);
    for (const Function &function : kernel_.functions) look(function.body);
    return shown_;
  }

  /// Of the variable and of all that were made from it.
  Use use_of(int variable) const {
    std::set<int> reached{variable};
    for (bool more = true; more;) {
      more = false;
      for (const auto &[made, from] : derived_)
        if (reached.contains(from)) more = reached.insert(made).second || more;
    }
    Use all;
    for (const int one : reached) {
      const auto known = uses_.find(one);
      if (known == uses_.end()) continue;
      all.read = all.read || known->second.read;
      all.written = all.written || known->second.written;
    }
    return all;
  }

private:
  bool holds_address(int variable) const {
    return variable >= 0 && is_address(kernel_.variables[variable].type);
  }

  bool is_reference(int variable) const {
    return variable >= 0 && kernel_.variables[variable].type.is_reference;
  }

  void note(int variable, bool read, bool written) {
    if (!holds_address(variable)) return;
    uses_[variable].read |= read;
    uses_[variable].written |= written;
  }

  void look_at_children(const Node &node) {
    for (const Node &child : node.children) look(child);
  }

  /// Whatever it mentions may be read and written.
  void escape(const Node &node) {
    if (node.kind == Kind::lambda) shown_ = false;
    if (node.kind == Kind::name) note(node.variable, true, true);
    for (const Node &child : node.children) escape(child);
  }

  void look(const Node &node) {
    if (node.function >= 0) return look_at_call(node);  // operators, too
    switch (node.kind) {
      case Kind::lambda:
        shown_ = false;
        return;
      case Kind::other_statement:
        escape(node);
        return;
      case Kind::name:
        // A pointer goes where it is not followed.
        note(node.variable, true, holds_address(node.variable) && !is_reference(node.variable));
        return;
      case Kind::declare:
        if (!node.children.empty()) bind(node.variable, node.children[0]);
        return;
      case Kind::assign:
        look_at_assignment(node);
        return;
      case Kind::subscript:
      case Kind::member:
        access(node, true, false);
        return;
      case Kind::unary:
        look_at_unary(node);
        return;
      case Kind::call:
        look_at_call(node);
        return;
      default:
        look_at_children(node);
    }
  }

  void look_at_assignment(const Node &node) {
    const Node &target = node.children[0], &value = node.children[1];
    if (target.kind == Kind::name && kernel_.variables[target.variable].type.kind == Type::Kind::pointer)
      return node.text == "=" ? bind(target.variable, value) : look(value);  // p += n moves it
    access(target, node.text != "=", true);
    look(value);
  }

  void look_at_unary(const Node &node) {
    if (node.text == "*") return access(node, true, false);
    const Node &operand = node.children[0];
    const bool steps = node.text == "++" || node.text == "--";
    if (steps && operand.kind == Kind::name) return;
    if (steps) return access(operand, true, true);
    if (node.text == "&") return access(operand, true, true);
    look(operand);
  }

  /// Of an element, `x[i]`, `*p` or `x[i].a`, or of a variable.
  void access(const Node &lvalue, bool read, bool written) {
    const Node *at = &lvalue;
    while (at->kind == Kind::member || at->kind == Kind::cast) {
      if (at->kind == Kind::member && at->overloaded) return address(at->children[0], read, written);  // ->
      at = &at->children[0];
    }
    if (at->kind == Kind::name) {
      if (is_reference(at->variable)) note(at->variable, read, written);
      return;
    }
    const bool element = at->kind == Kind::subscript || (at->kind == Kind::unary && at->text == "*");
    if (!element) return look(*at);
    if (at->kind == Kind::subscript) look(at->children[1]);
    address(at->children[0], read, written);
  }

  /// The address of what is accessed: a pointer, what is added to it, an element that is an array itself.
  void address(const Node &node, bool read, bool written) {
    if (node.kind == Kind::name) return note(node.variable, read, written);
    if (node.kind == Kind::cast) return address(node.children[0], read, written);
    if (node.kind == Kind::unary && node.text == "&") return access(node.children[0], read, written);
    if (node.kind == Kind::unary && (node.text == "++" || node.text == "--"))
      return address(node.children[0], read, written);
    const bool moved =
        node.kind == Kind::binary && (node.text == "+" || node.text == "-") && !node.overloaded;
    if (moved) {
      const bool right = node.children[1].type.kind == Type::Kind::pointer;
      look(node.children[right ? 0 : 1]);
      return address(node.children[right ? 1 : 0], read, written);
    }
    const bool row =
        (node.kind == Kind::subscript || node.kind == Kind::member) && node.type.kind == Type::Kind::array;
    row ? access(node, read, written) : look(node);
  }

  /// A variable that holds an address gets another one.
  void bind(int variable, const Node &value) {
    const int from = holds_address(variable) ? source_of(value) : -1;
    if (from >= 0)
      derived_.emplace(variable, from);
    else if (is_reference(variable))
      escape(value);
    else
      look(value);
  }

  /// The variable whose address is passed on, or moved by a number; -1 if it is not that plain. Numbers that
  /// are added are looked at.
  int source_of(const Node &value) {
    if (value.kind == Kind::name) return holds_address(value.variable) ? value.variable : -1;
    if (value.kind == Kind::cast) return source_of(value.children[0]);
    if (value.kind == Kind::unary && value.text == "&") return element_source_of(value.children[0]);
    if (value.kind == Kind::subscript) return element_source_of(value);  // bound to a reference
    if (value.kind != Kind::binary || value.overloaded || (value.text != "+" && value.text != "-")) return -1;
    const bool right = value.children[1].type.kind == Type::Kind::pointer;
    const int from = source_of(value.children[right ? 1 : 0]);
    if (from >= 0) look(value.children[right ? 0 : 1]);
    return from;
  }

  int element_source_of(const Node &element) {
    if (element.kind == Kind::member) return element_source_of(element.children[0]);
    if (element.kind == Kind::name) return holds_address(element.variable) ? element.variable : -1;
    if (element.kind != Kind::subscript) return -1;
    const int from = source_of(element.children[0]);
    if (from >= 0) look(element.children[1]);
    return from;
  }

  void look_at_call(const Node &node) {
    const std::vector<int> *parameters =
        node.function >= 0 ? &kernel_.functions[static_cast<std::size_t>(node.function)].parameters : nullptr;
    if (parameters && parameters->size() != node.children.size()) parameters = nullptr;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node &argument = node.children[i];
      if (parameters && holds_address((*parameters)[i]))
        bind((*parameters)[i], argument);
      else
        pass(node, argument);
    }
  }

  /// To a function whose text is not known. An element that is passed may be bound to a reference there.
  void pass(const Node &call, const Node &argument) {
    const bool loads = call.text.starts_with("__ld");
    if (argument.type.kind == Type::Kind::pointer) return address(argument, true, !loads);
    look(argument);
  }

  const Kernel &kernel_;
  std::map<int, Use> uses_;
  std::set<std::pair<int, int>> derived_;  ///< variable, and the one that it got its address from
  bool shown_ = true;
};

}  // namespace

PointerUses pointer_uses_of(const Kernel &kernel) {
  PointerUsesFinder finder(kernel);
  PointerUses uses;
  if (!finder.look_at_all()) return uses;
  for (const int index : kernel.parameters) {
    const Variable &variable = kernel.variables[index];
    if (variable.type.kind != Type::Kind::pointer) continue;
    const Use use = finder.use_of(index);
    if (use.read && !use.written) uses.only_read.push_back(variable.name);
    if (use.written && !use.read) uses.only_written.push_back(variable.name);
  }
  return uses;
}

}  // namespace cupilot::rewrite
