// SPDX-License-Identifier: Apache-2.0
#include "annotate/rewrite/rows_plan.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace cupilot::rewrite {
namespace {

using Form = Touch::Form;

class Planner {
public:
  Planner(const Kernel &kernel, const RowShape &shape) : kernel_(kernel), shape_(shape) {}

  std::expected<RowPlan, Obstacle> run() {
    for (std::size_t i = 0; i < shape_.loops.size(); ++i) add_loop(static_cast<int>(i));
    if (plan_.loops.empty())
      return std::unexpected(
          Obstacle{"no loop over columns reads or writes consecutive elements unconditionally",
                   shape_.loops[0].statement->line});
    // If two loops share a written array and one of them cannot use vectors, neither may.
    std::optional<Obstacle> mixed;
    while (const Touch *touch = mixed_mapping(mixed)) plan_.loops.erase(loop_of(*touch));
    if (plan_.loops.empty() && mixed) return std::unexpected(*mixed);
    choose_held();
    if (mixed_mapping(mixed) && mixed) return std::unexpected(*mixed);
    add_conditions();
    return std::move(plan_);
  }

private:
  const ColumnLoop &loop(int index) const { return shape_.loops[index]; }
  int loop_of(const Touch &touch) const { return shape_.parts[touch.part].loop; }
  bool starts_late(int index) const { return !is_integer_constant(*loop(index).start, 0); }

  std::vector<const Touch *> touches_of(int index, int pointer) const {
    std::vector<const Touch *> out;
    for (const Touch &touch : shape_.touches)
      if (loop_of(touch) == index && touch.pointer == pointer) out.push_back(&touch);
    return out;
  }
  std::set<int> pointers_of(int index) const {
    std::set<int> out;
    for (const Touch &touch : shape_.touches)
      if (loop_of(touch) == index) out.insert(touch.pointer);
    return out;
  }

  /// Whether another loop touches the same elements on every path, starting from column 0.
  bool covered_elsewhere(int index, const Touch &touch) const {
    return std::ranges::any_of(shape_.touches, [&](const Touch &other) {
      const int there = loop_of(other);
      return there >= 0 && there != index && !starts_late(there) && other.pointer == touch.pointer &&
             !other.maybe && other.form == touch.form && same(*loop(there).bound, *loop(index).bound) &&
             (!touch.stride || same(*touch.stride, *other.stride));
    });
  }

  std::optional<VectorArray> vector_array(int index, int pointer) const {
    VectorArray array;
    array.pointer = pointer;
    array.touches = touches_of(index, pointer);
    bool sure = false, sure_store = false;
    for (const Touch *touch : array.touches) {
      const Touch &first = *array.touches[0];
      const bool understood = (touch->form == Form::row_column || touch->form == Form::column) &&
                              touch->form == first.form && touch->node->exact &&
                              (!touch->stride || same(*touch->stride, *first.stride));
      if (!understood) return std::nullopt;
      sure = sure || !touch->maybe;
      sure_store = sure_store || (touch->store && !touch->maybe);
      array.loaded = array.loaded || touch->load || (touch->maybe && touch->store && !sure_store);
      array.stored = array.stored || touch->store;
    }
    array.touch = array.touches[0];
    if (!fits_vector(kernel_.variables[pointer].type) || (array.stored && !sure_store)) return std::nullopt;
    const bool late = starts_late(index);
    if (late && array.stored) return std::nullopt;
    return (late || !sure) && !covered_elsewhere(index, *array.touch) ? std::nullopt : std::optional(array);
  }

  void add_loop(int index) {
    const ColumnLoop &it = loop(index);
    const bool fixed_start = it.start->value && *it.start->value >= 0;
    if (!fixed_start || !host_text(kernel_, *it.bound) || !it.body->exact) return;
    VectorLoop vector;
    for (const int pointer : pointers_of(index))
      if (auto array = vector_array(index, pointer)) vector.arrays.push_back(std::move(*array));
    if (!vector.arrays.empty()) plan_.loops[index] = std::move(vector);
  }

  /// A loop with vectors assigns other columns to a lane than a loop without. Returns a touch in a vector
  /// loop that shares a written array with a loop without vectors, or null.
  const Touch *mixed_mapping(std::optional<Obstacle> &reason) const {
    for (const Touch &written : shape_.touches) {
      if (!written.store || loop_of(written) < 0) continue;
      for (const Touch &other : shape_.touches) {
        if (other.pointer != written.pointer || loop_of(other) < 0) continue;
        const bool vector = plan_.loops.contains(loop_of(other));
        if (vector == plan_.loops.contains(loop_of(written))) continue;
        reason = Obstacle{fmt::format("'{}' is used in a loop that can move vectors and in one that cannot",
                                      kernel_.variables[written.pointer].name),
                          other.node->line};
        return vector ? &other : &written;
      }
    }
    return nullptr;
  }

  /// Chooses the rows to keep in registers. They are touched in several loops, always as vectors and over the
  /// same columns.
  void choose_held() {
    std::set<int> all;
    for (const auto &[index, vector] : plan_.loops)
      for (const VectorArray &array : vector.arrays) all.insert(array.pointer);
    const Node *bound = nullptr;
    for (const int pointer : all) {
      const Node *own = held_bound(pointer);
      if (!own || (bound && !same(*bound, *own))) continue;
      bound = own;
      plan_.held.push_back(pointer);
    }
    if (!bound) return;
    plan_.held_bound = host_text(kernel_, *bound).value();
    // Registers are indexed by the loop over a row's vectors, so loops over other columns have no such index.
    for (auto it = plan_.loops.begin(); it != plan_.loops.end();)
      it = same(*loop(it->first).bound, *bound) ? std::next(it) : plan_.loops.erase(it);
    for (const int pointer : plan_.held) mark_held(pointer);
  }

  const Node *held_bound(int pointer) const {
    const Node *bound = nullptr;
    int loops = 0;
    for (std::size_t i = 0; i < shape_.loops.size(); ++i) {
      const int index = static_cast<int>(i);
      if (touches_of(index, pointer).empty()) continue;
      const auto vector = plan_.loops.find(index);
      if (vector == plan_.loops.end()) return nullptr;
      const auto array = std::ranges::find(vector->second.arrays, pointer, &VectorArray::pointer);
      if (array == vector->second.arrays.end() || array->touch->form != Form::row_column) return nullptr;
      if (bound && !same(*bound, *loop(index).bound)) return nullptr;
      bound = loop(index).bound;
      ++loops;
    }
    for (const Touch &touch : shape_.touches)
      if (touch.pointer == pointer && touch.store && loop_of(touch) < 0) return nullptr;
    return loops > 1 ? bound : nullptr;
  }

  void mark_held(int pointer) {
    VectorArray *last_store = nullptr;
    bool first = true;
    for (auto &[index, vector] : plan_.loops)
      for (VectorArray &array : vector.arrays) {
        if (array.pointer != pointer) continue;
        array.first_of_held = std::exchange(first, false);
        if (array.stored) last_store = &array;
      }
    if (last_store) last_store->last_store_of_held = true;
  }

  void add_conditions() {
    for (const auto &[index, vector] : plan_.loops) {
      plan_.multiples.insert(operand(host_text(kernel_, *loop(index).bound).value()));
      for (const VectorArray &array : vector.arrays) {
        plan_.pointers.insert(array.pointer);
        if (array.touch->stride)
          plan_.multiples.insert(operand(host_text(kernel_, *array.touch->stride).value()));
      }
    }
  }

  const Kernel &kernel_;
  const RowShape &shape_;
  RowPlan plan_;
};

}  // namespace

std::expected<RowPlan, Obstacle> row_plan(const Kernel &kernel, const RowShape &shape) {
  return Planner(kernel, shape).run();
}

}  // namespace cupilot::rewrite
