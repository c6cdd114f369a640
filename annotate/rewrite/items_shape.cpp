// SPDX-License-Identifier: Apache-2.0
//
// Three forms are recognised: `if (i < n) {...}`, `if (i >= n) return; ...` and `for (i = ...; i < n; i +=
// number of threads)`. Without any of them every thread has an item.

#include "annotate/rewrite/items_shape.h"

#include <fmt/format.h>

#include "annotate/rewrite/items_memory.h"

namespace cupilot::rewrite {
namespace {

bool returns_only(const Node &node) {
  if (node.kind == Kind::compound) return node.children.size() == 1 && returns_only(node.children[0]);
  return node.kind == Kind::return_ && node.children.empty();
}

class Recogniser {
public:
  explicit Recogniser(const Kernel &kernel) : kernel_(kernel) {}
  std::expected<ItemShape, Obstacle> run();

private:
  std::expected<bool, Obstacle> take(const Node &statement, bool last);
  bool take_indexes(const Node &declaration);
  bool take_loop(const Node &loop);
  bool is_index(const Node &node) const { return shape_.index >= 0 && is_name(node, shape_.index); }
  bool is_stride(const Node &node) const {
    return is_total_threads(node, 'x') || (stride_ >= 0 && is_name(node, stride_));
  }
  const Node *bound_of(const Node &condition, bool inside) const;
  std::expected<void, Obstacle> set_bound(const Node &bound);
  void add_part(const Node &part) {
    if (part.kind != Kind::compound) return shape_.statements.push_back(&part);
    for (const Node &child : part.children) shape_.statements.push_back(&child);
  }
  std::expected<void, Obstacle> check_loop(const Node &body);
  std::expected<void, Obstacle> check();
  void drop_unused();

  const Kernel &kernel_;
  ItemShape shape_;
  int stride_ = -1;
  const Node *loop_body_ = nullptr;
};

bool Recogniser::take_indexes(const Node &declaration) {
  ItemShape found = shape_;
  int stride = stride_;
  for (const Node &one : declaration.children) {
    if (one.kind != Kind::declare || one.children.size() != 1 || one.type.is_reference) return false;
    const Node &initial = one.children[0];
    if (is_total_threads(initial, 'x'))
      stride = one.variable;
    else if (found.index < 0 && is_global_index(initial, 'x', found.block))
      found.index = one.variable;
    else
      return false;
  }
  shape_ = std::move(found);
  stride_ = stride;
  return true;
}

const Node *Recogniser::bound_of(const Node &condition, bool inside) const {
  const Node &test = bare(condition);
  if (test.kind == Kind::unary && test.text == "!") return bound_of(test.children[0], !inside);
  if (test.kind != Kind::binary || test.overloaded) return nullptr;
  const char *forward = inside ? "<" : ">=", *backward = inside ? ">" : "<=";
  if (test.text == forward && is_index(test.children[0])) return &test.children[1];
  if (test.text == backward && is_index(test.children[1])) return &test.children[0];
  return nullptr;
}

std::expected<void, Obstacle> Recogniser::set_bound(const Node &bound) {
  const auto text = host_text(kernel_, bound);
  if (!text) return obstacle("the bound of the items is not known when the kernel is launched", bound.line);
  for (const int parameter : kernel_.parameters)
    if (mentions(bound, parameter) && assigned(kernel_.body, parameter))
      return obstacle("the bound of the items changes inside the kernel", bound.line);
  shape_.bound = *text;
  return {};
}

bool Recogniser::take_loop(const Node &loop) {
  const ItemShape before = shape_;
  const Node &initial = loop.children[0], &step = loop.children[2];
  if (initial.kind == Kind::declaration && !take_indexes(initial)) return false;
  if (initial.kind != Kind::declaration && initial.kind != Kind::none) return false;
  const bool adds = step.kind == Kind::assign && step.text == "+=" && is_index(step.children[0]) &&
                    is_stride(step.children[1]);
  if (adds && bound_of(loop.children[1], true)) return true;
  shape_ = before;
  return false;
}

/// Returns true when the statement belongs to the code around the items.
std::expected<bool, Obstacle> Recogniser::take(const Node &statement, bool last) {
  if (statement.kind == Kind::declaration && take_indexes(statement)) return true;
  if (statement.kind == Kind::for_ && take_loop(statement)) {
    if (!last)
      return obstacle("statements follow the loop over items and need a thread's whole share",
                      statement.line);
    if (auto set = set_bound(*bound_of(statement.children[1], true)); !set)
      return std::unexpected(set.error());
    shape_.loop = true;
    loop_body_ = &statement.children[3];
    add_part(*loop_body_);
    return true;
  }
  if (statement.kind != Kind::if_ || statement.children[2].kind != Kind::none || !shape_.bound.empty())
    return false;
  if (const Node *bound = bound_of(statement.children[0], false);
      bound && returns_only(statement.children[1])) {
    if (auto set = set_bound(*bound); !set) return std::unexpected(set.error());
    return true;
  }
  if (const Node *bound = bound_of(statement.children[0], true); bound && last) {
    if (auto set = set_bound(*bound); !set) return std::unexpected(set.error());
    add_part(statement.children[1]);
    return true;
  }
  return false;
}

const Node *leaves_loop(const Node &tree, bool outermost) {
  if (tree.kind == Kind::return_ || (outermost && tree.kind == Kind::break_)) return &tree;
  const bool nested = tree.kind == Kind::for_ || tree.kind == Kind::while_ || tree.kind == Kind::do_ ||
                      tree.kind == Kind::switch_;
  for (const Node &child : tree.children)
    if (const Node *found = leaves_loop(child, outermost && !nested)) return found;
  return nullptr;
}

void continue_to_return(const Node &tree, Edits &edits) {
  if (tree.kind == Kind::continue_) edits.replace(tree, "return");
  if (tree.kind == Kind::for_ || tree.kind == Kind::while_ || tree.kind == Kind::do_) return;
  for (const Node &child : tree.children) continue_to_return(child, edits);
}

std::expected<void, Obstacle> Recogniser::check_loop(const Node &body) {
  if (const Node *leaves = leaves_loop(body, true))
    return obstacle("the loop over items can end before its bound", leaves->line);
  for (std::size_t v = 0; v < kernel_.variables.size(); ++v) {
    const bool inside = find(body, [&](const Node &one) {
      return one.kind == Kind::declare && one.variable == static_cast<int>(v);
    });
    if (inside) continue;
    if (const Node *write = assigned(body, static_cast<int>(v)))
      return obstacle(fmt::format("'{}' is carried from one item to the next", kernel_.variables[v].name),
                      write->line);
  }
  continue_to_return(body, shape_.edits);
  return {};
}

std::expected<void, Obstacle> Recogniser::check() {
  const Effects effects = effects_of(kernel_, kernel_.body);
  if (auto found = cooperation(effects)) return std::unexpected(*found);
  if (shape_.index < 0)
    return obstacle("no variable holds the thread's global index (blockIdx.x * blockDim.x + threadIdx.x)",
                    kernel_.line);
  const Type &type = kernel_.variables[shape_.index].type;
  if (type.kind != Type::Kind::integer || type.bits < 32)
    return obstacle("the global index is not a 32-bit or 64-bit integer", kernel_.line);
  if (const Node *call = coordinate_call(kernel_, kernel_.body))
    return obstacle(fmt::format("'{}' uses thread coordinates", call->text), call->line);
  for (const Node *statement : shape_.statements) {
    if (const Node *use = find(*statement, [](const Node &node) { return node.kind == Kind::builtin; }))
      return obstacle(fmt::format("an item uses {} other than in its global index", use->text), use->line);
    if (const Node *write = assigned(*statement, shape_.index))
      return obstacle("the item's index changes", write->line);
    if (stride_ >= 0 && mentions(*statement, stride_))
      return obstacle("an item uses the number of threads", statement->line);
    for (const int parameter : kernel_.parameters)
      if (const Node *write = assigned(*statement, parameter);
          write && kernel_.variables[parameter].type.kind == Type::Kind::pointer)
        return obstacle(fmt::format("pointer '{}' changes", kernel_.variables[parameter].name), write->line);
  }
  return loop_body_ ? check_loop(*loop_body_) : std::expected<void, Obstacle>{};
}

/// Removes declarations that were used by the bound only.
void Recogniser::drop_unused() {
  std::erase_if(shape_.statements, [&](const Node *statement) {
    if (statement->kind != Kind::declaration || statement->children.size() != 1) return false;
    const Node &one = statement->children[0];
    if (one.kind != Kind::declare || one.variable < 0 || effects_of(kernel_, one).write) return false;
    for (const Node *other : shape_.statements)
      if (other != statement && mentions(*other, one.variable)) return false;
    return true;
  });
}

std::expected<ItemShape, Obstacle> Recogniser::run() {
  const auto &parts = kernel_.body.children;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool had_bound = !shape_.bound.empty();
    const auto taken = take(parts[i], i + 1 == parts.size());
    if (!taken) return std::unexpected(taken.error());
    if (*taken && !had_bound && !shape_.bound.empty())
      for (std::size_t before = 0; before < i; ++before)
        if (const Effects early = effects_of(kernel_, parts[before]); early.write || early.atomic)
          return obstacle("memory is written before the bounds test", parts[before].line);
    if (!*taken) shape_.statements.push_back(&parts[i]);
  }
  if (auto fine = check(); !fine) return std::unexpected(fine.error());
  drop_unused();
  if (shape_.statements.empty()) return obstacle("the kernel does nothing", kernel_.line);
  return std::move(shape_);
}

}  // namespace

std::optional<std::string> host_text(const Kernel &kernel, const Node &node) {
  if (host_expression(kernel, node)) return text_of(kernel, node);
  if (node.kind != Kind::name || assigned(kernel.body, node.variable)) return std::nullopt;
  const Node *declared_at = find(kernel.body, [&](const Node &one) {
    return one.kind == Kind::declare && one.variable == node.variable && one.children.size() == 1;
  });
  if (!declared_at || !host_expression(kernel, declared_at->children[0])) return std::nullopt;
  return fmt::format("static_cast<{}>({})", kernel.variables[node.variable].type.text,
                     text_of(kernel, declared_at->children[0]));
}

std::expected<ItemShape, Obstacle> item_frame(const Kernel &kernel) {
  return Recogniser(kernel).run();
}

std::expected<ItemShape, Obstacle> item_shape(const Kernel &kernel) {
  auto shape = item_frame(kernel);
  if (!shape) return shape;
  if (auto fine = find_item_arrays(kernel, *shape); !fine) return std::unexpected(fine.error());
  return shape;
}

}  // namespace cupilot::rewrite
