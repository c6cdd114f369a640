// SPDX-License-Identifier: Apache-2.0
//
// Analyses the memory accesses of an item in program order. A load may move up to the start of the item, and
// a store down to its end, when nothing between can access the same bytes. Items of different threads have no
// defined order, so nothing has to be preserved between them.

#include "annotate/rewrite/items_memory.h"

#include <fmt/format.h>
#include <algorithm>
#include <limits>

namespace cupilot::rewrite {
namespace {

constexpr int kNever = std::numeric_limits<int>::max();

/// All accesses of an item through one pointer or to one device global.
struct Trace {
  int variable = -1;
  bool own_load = false, own_store = false;  ///< accessed as pointer[index]
  bool sure = false, sure_store = false;     ///< happens on every path through the item
  bool first_is_load = false;
  bool other_use = false, other_write = false;  ///< accessed in any other way
  int first_store = kNever, last_load = -1, line = 0;
  std::vector<const Node *> uses;
};

class Tracer {
public:
  Tracer(const Kernel &kernel, int index) : kernel_(kernel), index_(index) {}
  std::vector<Trace> traces;

  void statement(const Node &node) { look(node, false); }

private:
  enum class Mode { load, store, update };

  Trace &trace(int variable, int line) {
    for (Trace &known : traces)
      if (known.variable == variable) return known;
    traces.push_back({});
    traces.back().variable = variable;
    traces.back().line = line;
    return traces.back();
  }
  /// Whether the variable is a pointer parameter or a global in memory.
  bool is_memory(int variable) const {
    if (variable < 0) return false;
    const Variable &it = kernel_.variables[variable];
    if (it.storage == Storage::global) return true;
    return it.storage == Storage::parameter && it.type.kind == Type::Kind::pointer;
  }
  void own(const Node &access, Mode mode, bool maybe);
  void other(int variable, int line, bool write);
  void target(const Node &lvalue, bool update, bool maybe);
  void look(const Node &node, bool maybe);
  void look_at_loop(const Node &node);
  bool is_own(const Node &node) const {
    return node.kind == Kind::subscript && node.exact && node.children[0].kind == Kind::name &&
           is_memory(node.children[0].variable) &&
           kernel_.variables[node.children[0].variable].storage == Storage::parameter &&
           is_name(node.children[1], index_);
  }

  const Kernel &kernel_;
  int index_;
  int clock_ = 0;
  bool returned_ = false;
};

void Tracer::own(const Node &access, Mode mode, bool maybe) {
  Trace &it = trace(access.children[0].variable, access.line);
  maybe = maybe || returned_;
  ++clock_;
  if (mode != Mode::store) {
    if (!it.own_store) it.first_is_load = true;
    it.own_load = true;
    it.last_load = clock_;
  }
  if (mode != Mode::load) {
    if (maybe && !it.sure_store) it.first_is_load = true;  // otherwise the old content may have to be kept
    it.own_store = true;
    it.first_store = std::min(it.first_store, clock_);
  }
  it.sure = it.sure || !maybe;
  it.sure_store = it.sure_store || (!maybe && mode != Mode::load);
  it.uses.push_back(&access);
}

void Tracer::other(int variable, int line, bool write) {
  Trace &it = trace(variable, line);
  it.other_use = true;
  it.last_load = ++clock_;
  if (!write) return;
  it.other_write = true;
  it.first_store = std::min(it.first_store, clock_);
}

void Tracer::target(const Node &lvalue, bool update, bool maybe) {
  if (is_own(lvalue)) return own(lvalue, update ? Mode::update : Mode::store, maybe);
  const int root = root_variable(lvalue);
  look(lvalue, maybe);
  if (is_memory(root) && lvalue.kind != Kind::name) other(root, lvalue.line, true);
  // A write through a local pointer may go to any of the pointers that are not const.
  const bool local = root >= 0 && !is_memory(root) && lvalue.kind != Kind::name &&
                     kernel_.variables[root].type.kind != Type::Kind::pointer &&
                     !kernel_.variables[root].type.is_reference;
  if (!is_memory(root) && lvalue.kind != Kind::name && !local)
    for (const int parameter : kernel_.parameters)
      if (is_memory(parameter) && !kernel_.variables[parameter].type.element_const)
        other(parameter, lvalue.line, true);
}

/// A loop may load in its next iteration what it stored in this one, so its stores count as made at its
/// start.
void Tracer::look_at_loop(const Node &node) {
  const std::size_t known = traces.size();
  std::vector<int> before;
  for (const Trace &it : traces) before.push_back(it.first_store);
  const int start = ++clock_;
  for (const Node &child : node.children) look(child, true);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const int earlier = i < known ? before[i] : kNever;
    if (traces[i].first_store < kNever && earlier == kNever) traces[i].first_store = start;
  }
}

void Tracer::look(const Node &node, bool maybe) {
  if (is_own(node)) return own(node, Mode::load, maybe);
  switch (node.kind) {
    case Kind::name:
      if (is_memory(node.variable) && !node.value) other(node.variable, node.line, false);
      return;
    case Kind::continue_:
    case Kind::return_:
      returned_ = true;
      return;
    case Kind::for_:
    case Kind::while_:
    case Kind::do_:
      return look_at_loop(node);
    case Kind::if_:
    case Kind::conditional:
    case Kind::switch_:
      look(node.children[0], maybe);
      for (std::size_t i = 1; i < node.children.size(); ++i) look(node.children[i], true);
      return;
    case Kind::assign:
      look(node.children[1], maybe);
      return target(node.children[0], node.text != "=", maybe);
    case Kind::unary:
      if (node.text == "++" || node.text == "--") return target(node.children[0], true, maybe);
      if (node.text != "&") break;
      for (const int root = root_variable(node.children[0]); is_memory(root);)
        return other(root, node.line, !kernel_.variables[root].type.element_const);
      break;
    case Kind::binary:
      if (node.text == "&&" || node.text == "||") {
        look(node.children[0], maybe);
        return look(node.children[1], true);
      }
      break;
    case Kind::call:
      // A function may write through a pointer that it receives.
      for (const Node &argument : node.children)
        if (const int root = root_variable(argument);
            argument.type.kind == Type::Kind::pointer && is_memory(root))
          other(root, node.line, !kernel_.variables[root].type.element_const);
      break;
    default:
      break;
  }
  for (const Node &child : node.children) look(child, maybe);
}

class Chooser {
public:
  Chooser(const Kernel &kernel, ItemShape &shape, const std::vector<Trace> &traces)
      : kernel_(kernel), shape_(shape), traces_(traces) {}

  std::expected<void, Obstacle> run() {
    if (shape_.loop)
      if (auto fine = check_carried(); !fine) return fine;
    for (const Trace &it : traces_) {
      if (!it.own_load && !it.own_store) continue;
      const std::string reason = why_not(it);
      if (reason.empty())
        take(it);
      else if (!shape_.narrow)
        shape_.narrow = Obstacle{fmt::format("'{}': {}", name(it), reason), it.line};
    }
    if (shape_.arrays.empty() && !shape_.narrow)
      shape_.narrow = Obstacle{"no array is accessed by the global index itself", kernel_.line};
    return {};
  }

private:
  const std::string &name(const Trace &it) const { return kernel_.variables[it.variable].name; }
  bool overlap(const Trace &a, const Trace &b) const {
    return a.variable != b.variable &&
           may_overlap(kernel_.variables[a.variable], kernel_.variables[b.variable]);
  }
  static bool written(const Trace &it) { return it.own_store || it.other_write; }

  /// In the original, items of one thread ran one after the other. None may read what another one wrote.
  std::expected<void, Obstacle> check_carried() const {
    for (const Trace &writer : traces_) {
      if (!written(writer)) continue;
      if (writer.other_use && (writer.own_load || writer.own_store || writer.other_write))
        return std::unexpected(
            Obstacle{fmt::format("'{}' is written and used other than at the item's own index; "
                                 "one item could see another's result",
                                 name(writer)),
                     writer.line});
      for (const Trace &reader : traces_)
        if (overlap(writer, reader) && (reader.other_use || writer.other_use))
          return std::unexpected(Obstacle{fmt::format("'{}' and '{}' may overlap (declare them __restrict__)",
                                                      name(writer), name(reader)),
                                          writer.line});
    }
    return {};
  }

  std::string why_not(const Trace &it) const {
    const Type &type = kernel_.variables[it.variable].type;
    if (!fits_vector(type)) return fmt::format("elements of type {} do not form vectors", type.element);
    if (it.own_store && it.other_use) return "it is written and also used other than at the item's own index";
    if (it.other_use && !type.element_const) return "it may be written other than at the item's own index";
    if (!it.sure) return "it is accessed under a condition only";
    if (it.own_store && !it.sure_store) return "it is written under a condition only";
    for (const Trace &other : traces_) {
      if (!overlap(it, other)) continue;
      const bool behind_store = written(other) && it.own_load && it.last_load > other.first_store;
      const bool behind_own =
          it.own_store && (other.own_load || other.other_use) && other.last_load > it.first_store;
      if (other.other_use && (behind_store || behind_own))
        return fmt::format("'{}' may overlap it and is accessed in between (declare them __restrict__)",
                           name(other));
    }
    return {};
  }

  void take(const Trace &it) {
    ItemArray array;
    array.pointer = it.variable;
    array.stored = it.own_store;
    array.loaded = it.first_is_load;
    array.uses = it.uses;
    for (const Trace &other : traces_) {
      if (other.variable == it.variable || other.other_use) continue;
      if (other.own_store)
        note(other, it);
      else if (it.own_store && other.own_load)
        note(it, other);
    }
    shape_.arrays.push_back(std::move(array));
  }

  void note(const Trace &writer, const Trace &other) {
    const Type &a = kernel_.variables[writer.variable].type, &b = kernel_.variables[other.variable].type;
    const bool strict = other.last_load > writer.first_store || other.own_store || a.element != b.element;
    for (Overlap &known : shape_.overlaps)
      if ((known.written == writer.variable && known.other == other.variable) ||
          (known.written == other.variable && known.other == writer.variable)) {
        known.strict = known.strict || strict;
        return;
      }
    shape_.overlaps.push_back({writer.variable, other.variable, strict});
  }

  const Kernel &kernel_;
  ItemShape &shape_;
  const std::vector<Trace> &traces_;
};

}  // namespace

std::expected<void, Obstacle> find_item_arrays(const Kernel &kernel, ItemShape &shape) {
  Tracer tracer(kernel, shape.index);
  for (const Node *statement : shape.statements) tracer.statement(*statement);
  return Chooser(kernel, shape, tracer.traces).run();
}

}  // namespace cupilot::rewrite
