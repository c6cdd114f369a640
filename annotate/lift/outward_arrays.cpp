// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
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

/// `for (int i = 0; i < 4; ++i)`: its counter and end.
struct Counted {
  int counter = -1;
  std::int64_t end = 0;
};

std::optional<Counted> counted(const Node &loop) {
  if (loop.kind != Kind::for_) return std::nullopt;
  const Node &initial = loop.children[0], &condition = rewrite::bare(loop.children[1]);
  const Counted found{counter_upwards(loop),
                      condition.kind == Kind::binary ? condition.children[1].value.value_or(0) : 0};
  if (found.counter < 0 || loop.children[2].kind != Kind::unary || initial.children[0].children.size() != 1)
    return std::nullopt;
  const bool from_zero = rewrite::is_integer_constant(rewrite::bare(initial.children[0].children[0]), 0);
  if (!from_zero || found.end < 1 || condition.text != "<" ||
      !rewrite::is_name(rewrite::bare(condition.children[0]), found.counter))
    return std::nullopt;
  return found;
}

/// The subscripts around a name, from the first dimension to the last.
std::vector<const Node *> indices_of(const Node &element) {
  std::vector<const Node *> indices;
  for (const Node *at = &element; at->kind == Kind::subscript; at = &at->children[0])
    indices.insert(indices.begin(), &at->children[1]);
  return indices;
}

/// What is wrong with what is looked at here does not matter: where any test fails, the kernel stays as it is
/// and the lifter names the array.
class Outward {
public:
  explicit Outward(Kernel &kernel) : kernel_(kernel) {}

  void run() {
    std::vector<Node> &all = kernel_.body.children;
    const auto first = std::ranges::find_if(all, [&](const Node &one) { return declares_sums(one); });
    if (first == all.end()) return;
    Node region = compound_at(*first, {first, all.end()});
    if (!find_classes(region) || !stays_right(region)) return;
    Node apart = region;
    const std::vector<Node> copies = own_copies(apart);
    make_apart(apart);
    std::vector<Node> statements = copies;
    std::ranges::move(apart.children, std::back_inserter(statements));
    Node body = compound_at(region, std::move(statements));
    for (const auto &[name, loop] : outward_) {
      Node outer = loop.first;
      rename(outer, outer.children[0].children[0].variable, loop.second);
      outer.children[3] = std::move(body);
      body = compound_at(region, {std::move(outer)});
    }
    all.erase(first, all.end());
    std::ranges::move(body.children, std::back_inserter(all));
  }

private:
  /// Whether a statement declares an array in which sums are built: one that begins with a value, or that is
  /// added to.
  bool declares_sums(const Node &statement) {
    if (statement.kind != Kind::declaration) return false;
    for (const Node &one : statement.children) {
      if (one.kind != Kind::declare || !is_number_array(variable(one.variable))) continue;
      const bool adds = rewrite::find(kernel_.body, [&](const Node &each) {
                          return each.kind == Kind::assign && each.children[0].kind == Kind::subscript &&
                                 rewrite::root_variable(each.children[0]) == one.variable &&
                                 (each.text != "=" || rewrite::mentions(each.children[1], one.variable));
                        }) != nullptr;
      if (!one.children.empty() || adds) return true;
    }
    return false;
  }

  const rewrite::Variable &variable(int index) const {
    return kernel_.variables[static_cast<std::size_t>(index)];
  }

  /// The arrays, and which of their dimensions and of the loops count the same.
  bool find_classes(const Node &region) {
    rewrite::walk(region, [&](const Node &one) {
      if (one.kind == Kind::declaration && declares_sums(one))
        for (const Node &each : one.children)
          if (each.kind == Kind::declare && is_number_array(variable(each.variable)))
            arrays_.insert(each.variable);
      if (const auto loop = counted(one)) loops_[loop->counter] = {loop->end, &one};
    });
    bool known = true, zeros = true;
    int elements = 0, names = 0;
    rewrite::walk(region, [&](const Node &one) {
      if (one.kind == Kind::declare && arrays_.contains(one.variable) && !one.children.empty())
        zeros = zeros && is_zero(one.children[0]);
      if (one.kind == Kind::name && arrays_.contains(one.variable)) ++names;
      if (one.kind != Kind::subscript) return;
      const int root = rewrite::root_variable(one);
      if (!arrays_.contains(root)) return;
      const auto indices = indices_of(one);
      const auto &extents = variable(root).type.extents;
      if (indices.size() != extents.size()) return;  // a part of an element that is looked at by itself
      ++elements;
      for (std::size_t i = 0; i < indices.size(); ++i) {
        const Node &index = rewrite::bare(*indices[i]);
        const auto loop = index.kind == Kind::name ? loops_.find(index.variable) : loops_.end();
        known = known && loop != loops_.end() && loop->second.first == extents[i];
        if (known) join({root, i}, index.variable);
      }
    });
    if (!known || elements != names) return false;
    for (const int array : arrays_)
      for (std::size_t i = 0; i < variable(array).type.extents.size(); ++i)
        if (!dimensions_.contains({array, i})) return false;
    return !arrays_.empty() && zeros;
  }

  /// Whether a value is nothing but zeros.
  bool is_zero(const Node &node) const {
    if (node.kind == Kind::list)
      return std::ranges::all_of(node.children, [&](const Node &one) { return is_zero(one); });
    if (node.kind == Kind::cast) return is_zero(node.children[0]);
    if (node.value) return *node.value == 0;
    const std::string text = rewrite::text_of(kernel_, node);
    char *end = nullptr;
    return node.kind == Kind::literal && std::strtod(text.c_str(), &end) == 0 && end != text.c_str();
  }

  /// The dimension of an array and the loop's counter are of one class, which is named by a counter.
  void join(std::pair<int, std::size_t> dimension, int counter) {
    const int own = class_of(counter);
    const auto [known, fresh] = dimensions_.try_emplace(dimension, own);
    if (fresh) return;
    const int other = class_of(known->second);
    if (other != own) class_[own] = other;
  }
  int class_of(int counter) const {
    for (auto next = class_.find(counter); next != class_.end(); next = class_.find(counter))
      counter = next->second;
    return counter;
  }
  std::set<int> classes() const {
    std::set<int> all;
    for (const auto &[dimension, counter] : dimensions_) all.insert(class_of(counter));
    return all;
  }
  bool is_of_class(int counter) const {
    return loops_.contains(counter) && classes().contains(class_of(counter));
  }

  /// Whether every element's work can be done by itself: nothing goes from one to another.
  bool stays_right(const Node &region) {
    bool right = true;
    look(region, {}, {}, right);
    return right;
  }

  /// `inside`: the classes whose loops are around; `own`: the variables declared in the innermost of these.
  void look(const Node &node, std::set<int> inside, std::set<int> own, bool &right) {
    if (!right) return;
    if (node.kind == Kind::return_ || node.kind == Kind::lambda) {
      right = false;
      return;
    }
    if (const auto loop = counted(node); loop && is_of_class(loop->counter)) {
      right = inside.insert(class_of(loop->counter)).second && breaks_well(node.children[3], loop->counter);
      look(node.children[3], inside, {}, right);
      return;
    }
    if (node.kind == Kind::call && node.text.starts_with("atomic")) right = inside == classes();
    if (node.kind == Kind::call && node.text.starts_with("__sync")) right = right && inside.empty();
    if (node.kind == Kind::declare) declared_.insert(node.variable);
    if (is_step(node)) {
      const int root = rewrite::root_variable(node.children[0]);
      if (root < 0) right = false;
      if (right && !arrays_.contains(root)) {
        const auto &target = variable(root);
        const bool element = node.children[0].kind != Kind::name;
        const bool memory = element && target.storage != Storage::shared &&
                            target.storage != Storage::dynamic_shared &&
                            target.type.kind == Type::Kind::pointer;
        if (memory) right = inside == classes();
        if (element && !memory && !is_number_array(target)) right = right && inside.empty();
        // Outside of an element's own work, a number that elements share would go on from one to the next.
        if (!element && !inside.empty()) right = own.contains(root);
      }
    }
    for (const Node &child : node.children) {
      look(child, inside, own, right);
      if (child.kind == Kind::declaration)
        for (const Node &one : child.children)
          if (one.kind == Kind::declare) own.insert(one.variable);
    }
  }

  /// Whether the loop is left early only by `if (row >= rows) break;` where `row` grows with the counter.
  bool breaks_well(const Node &body, int counter) const {
    bool well = true;
    std::set<const Node *> good;
    for (const Node *part : rewrite::parts_of(body)) {
      const Node *condition = break_condition(*part);
      if (condition != nullptr && stays_true(*condition, body, counter)) good.insert(condition);
    }
    rewrite::walk(body, [&](const Node &one) {
      const bool inner = one.kind == Kind::for_ || one.kind == Kind::while_ || one.kind == Kind::do_;
      if (inner && rewrite::find(one, [](const Node &each) { return each.kind == Kind::break_; }))
        well = false;
      if (one.kind == Kind::continue_) well = false;
      const Node *condition = one.kind == Kind::if_ ? break_condition(one) : nullptr;
      if (condition == nullptr && one.kind == Kind::if_ &&
          rewrite::find(one, [](const Node &each) { return each.kind == Kind::break_; }))
        well = false;
      if (condition != nullptr && !good.contains(condition)) well = false;
    });
    return well;
  }

  /// Declarations of variables from outside that the region changes: every element's work begins with what
  /// they are there.
  std::vector<Node> own_copies(Node &region) {
    std::map<int, Node> changed;
    rewrite::walk(region, [&](const Node &one) {
      if (!is_step(one) || one.children[0].kind != Kind::name) return;
      const Node &target = one.children[0];
      if (!declared_.contains(target.variable) && !loops_.contains(target.variable))
        changed.try_emplace(target.variable, target);
    });
    std::vector<Node> copies;
    for (const auto &[outside, name] : changed) {
      rewrite::Variable copy = variable(outside);
      copy.storage = Storage::local;
      const Node own = name_at(name, kernel_, std::move(copy));
      copies.push_back(declaration_of(own, name));
      rename(region, outside, own);
    }
    return copies;
  }

  static void rename(Node &node, int from, const Node &to) {
    if ((node.kind == Kind::name || node.kind == Kind::declare) && node.variable == from) {
      node.variable = to.variable;
      node.text = to.text;
    }
    for (Node &child : node.children) rename(child, from, to);
  }

  /// The counter of the loop that goes outwards for a class.
  const Node &outward(int counter) {
    const int known = class_of(counter);
    const auto found = outward_.find(known);
    if (found != outward_.end()) return found->second.second;
    const Node &loop = *loops_.at(known).second;
    Node at = loop.children[0].children[0];
    at.kind = Kind::name;
    at.children.clear();
    Node name = name_at(at, kernel_, variable(known));
    Node head = loop;
    head.children[3] = Node{};
    return outward_.emplace(known, std::pair{std::move(head), std::move(name)}).first->second.second;
  }

  /// One element's work: loops of the classes are gone, and arrays are numbers.
  void make_apart(Node &node) {
    if (node.kind == Kind::compound) {
      std::vector<Node> out;
      for (Node &child : node.children) add_apart(child, out);
      node.children = std::move(out);
      return;
    }
    if (node.kind == Kind::subscript && arrays_.contains(rewrite::root_variable(node))) {
      node = number_of(rewrite::root_variable(node), node);
      return;
    }
    if (const auto loop = counted(node); loop && is_of_class(loop->counter)) {
      std::vector<Node> out;
      add_apart(node, out);
      node = compound_at(node, std::move(out));
      return;
    }
    for (Node &child : node.children) make_apart(child);
  }

  void add_apart(Node &child, std::vector<Node> &out) {
    if (const auto loop = counted(child); loop && is_of_class(loop->counter)) {
      Node body = child.children[3];
      rename(body, loop->counter, Node(outward(loop->counter)));
      std::vector<Node> parts =
          body.kind == Kind::compound ? std::move(body.children) : std::vector<Node>{body};
      add_until_break(parts, 0, out);
      return;
    }
    if (child.kind == Kind::declaration) {
      for (Node &one : child.children) {
        if (one.kind != Kind::declare || !arrays_.contains(one.variable)) continue;
        const Node number = number_of(one.variable, one);
        Node declare = number;
        declare.kind = Kind::declare;
        if (!one.children.empty()) declare.children = {integer_at(one, 0)};
        one = std::move(declare);
      }
    }
    make_apart(child);
    if (child.kind == Kind::declaration)
      for (const Node &one : child.children) {
        Node alone = child;
        alone.children = {one};
        out.push_back(std::move(alone));
      }
    else
      out.push_back(std::move(child));
  }

  /// `if (c) break; rest` is `if (!c) { rest }`.
  void add_until_break(std::vector<Node> &parts, std::size_t from, std::vector<Node> &out) {
    for (std::size_t i = from; i < parts.size(); ++i) {
      const Node *condition = break_condition(parts[i]);
      if (condition == nullptr) {
        add_apart(parts[i], out);
        continue;
      }
      Node holds = *condition;
      holds.text = condition->text == ">=" ? "<" : "<=";
      make_apart(holds);
      std::vector<Node> rest;
      add_until_break(parts, i + 1, rest);
      Node branch = parts[i];
      branch.children = {std::move(holds), compound_at(parts[i], std::move(rest)), Node{}};
      out.push_back(std::move(branch));
      return;
    }
  }

  /// The variable in place of the array's element.
  Node number_of(int array, const Node &at) {
    const auto found = numbers_.find(array);
    Node name = found != numbers_.end() ? found->second : Node{};
    if (found == numbers_.end()) {
      const rewrite::Variable whole = variable(array);
      rewrite::Variable one{whole.name, {}, Storage::local, true};
      one.type.kind = whole.type.element == "float" || whole.type.element == "double" ? Type::Kind::floating
                                                                                      : Type::Kind::integer;
      one.type.text = whole.type.element;
      one.type.bits = whole.type.element_bits;
      name = name_at(at, kernel_, std::move(one));
      numbers_.emplace(array, name);
    }
    name.begin = at.begin;
    name.end = at.end;
    name.line = at.line;
    return name;
  }

  Kernel &kernel_;
  std::set<int> arrays_, declared_;
  std::map<int, std::pair<std::int64_t, const Node *>> loops_;  ///< by counter: end, and the loop
  std::map<std::pair<int, std::size_t>, int> dimensions_;       ///< the class of each
  std::map<int, int> class_;
  std::map<int, std::pair<Node, Node>> outward_;  ///< by class: the loop, and its new counter
  std::map<int, Node> numbers_;
};

}  // namespace

void move_arrays_outward(Kernel &kernel) {
  if (kernel.body.kind == Kind::compound) Outward(kernel).run();
}

}  // namespace cupilot::lift
