// SPDX-License-Identifier: Apache-2.0
//
// Classifies the statements of a row. Column loops are shared by the lanes, statements that write memory are
// run by one lane, and every lane repeats everything else, which only computes.

#include "annotate/rewrite/rows_shape.h"

#include <fmt/format.h>

#include "annotate/rewrite/rows_reduce.h"
#include "annotate/rewrite/rows_touch.h"

namespace cupilot::rewrite {
namespace {

bool declared_inside(const Node &tree, int variable) {
  return find(tree,
              [&](const Node &node) { return node.kind == Kind::declare && node.variable == variable; });
}

bool steps_by_one(const Node &step, int variable) {
  if (step.kind == Kind::unary && step.text == "++") return is_name(step.children[0], variable);
  return step.kind == Kind::assign && step.text == "+=" && is_name(step.children[0], variable) &&
         is_integer_constant(step.children[1], 1);
}

/// Recognises `for (int c = start; c < bound; ++c)`.
std::optional<ColumnLoop> column_loop(const Node &statement) {
  if (statement.kind != Kind::for_) return std::nullopt;
  const Node &initial = statement.children[0], &test = bare(statement.children[1]);
  if (initial.kind != Kind::declaration || initial.children.size() != 1 ||
      initial.children[0].children.size() != 1)
    return std::nullopt;
  ColumnLoop loop{&statement,
                  &initial.children[0].children[0],
                  nullptr,
                  &statement.children[3],
                  initial.children[0].variable,
                  {}};
  if (loop.column < 0 || test.kind != Kind::binary || !steps_by_one(statement.children[2], loop.column))
    return std::nullopt;
  if (test.text == "<" && is_name(test.children[0], loop.column)) loop.bound = &test.children[1];
  if (test.text == ">" && is_name(test.children[1], loop.column)) loop.bound = &test.children[0];
  const bool integer =
      initial.children[0].type.kind == Type::Kind::integer && initial.children[0].type.bits >= 32;
  return loop.bound && integer ? std::optional(loop) : std::nullopt;
}

class Sorter {
public:
  Sorter(const Kernel &kernel, RowShape &shape) : kernel_(kernel), shape_(shape) {}
  std::expected<void, Obstacle> run();

private:
  std::expected<void, Obstacle> take(const Node &statement);
  std::expected<void, Obstacle> take_loop(ColumnLoop loop);
  std::expected<void, Obstacle> check_once(const Node &statement) const;
  bool changes_outer(const Node &tree, int variable) const {
    return kernel_.variables[variable].storage == Storage::local ||
                   kernel_.variables[variable].storage == Storage::parameter
               ? assigned(tree, variable) && !declared_inside(tree, variable)
               : false;
  }

  const Kernel &kernel_;
  RowShape &shape_;
};

const Node *leaves(const Node &tree, bool outermost) {
  if (tree.kind == Kind::return_ || (outermost && tree.kind == Kind::break_)) return &tree;
  const bool nested = tree.kind == Kind::for_ || tree.kind == Kind::while_ || tree.kind == Kind::do_ ||
                      tree.kind == Kind::switch_;
  for (const Node &child : tree.children)
    if (const Node *found = leaves(child, outermost && !nested)) return found;
  return nullptr;
}

std::expected<void, Obstacle> Sorter::take_loop(ColumnLoop loop) {
  const Node &body = *loop.body;
  if (const Node *out = leaves(body, true))
    return obstacle("the loop over columns can end before its bound", out->line);
  if (const Node *write = assigned(body, loop.column))
    return obstacle("the loop's body changes the column", write->line);
  for (std::size_t v = 0; v < kernel_.variables.size(); ++v) {
    const int variable = static_cast<int>(v);
    if (mentions(*loop.bound, variable) && assigned(kernel_.body, variable) && kernel_.variables[v].in_kernel)
      return obstacle("the number of columns changes inside the kernel", loop.bound->line);
    if (variable == loop.column || !changes_outer(body, variable)) continue;
    auto found = accumulator(kernel_, body, variable);
    if (!found) return std::unexpected(found.error());
    if (mentions(*loop.bound, variable) || mentions(*loop.start, variable))
      return obstacle("the loop's bounds change inside it", loop.statement->line);
    loop.accumulators.push_back(*found);
  }
  shape_.parts.push_back({loop.statement, false, static_cast<int>(shape_.loops.size())});
  shape_.loops.push_back(std::move(loop));
  return {};
}

/// Only lane 0 runs the statement, so no other lane may need what it computes.
std::expected<void, Obstacle> Sorter::check_once(const Node &statement) const {
  if (statement.kind == Kind::declaration)
    return obstacle("a declaration also writes memory", statement.line);
  for (std::size_t v = 0; v < kernel_.variables.size(); ++v)
    if (changes_outer(statement, static_cast<int>(v)))
      return obstacle(
          fmt::format("a statement both writes memory and changes '{}'", kernel_.variables[v].name),
          statement.line);
  return {};
}

std::expected<void, Obstacle> Sorter::take(const Node &statement) {
  const Effects effects = effects_of(kernel_, statement);
  if (effects.atomic) return obstacle("the kernel uses atomic operations", effects.atomic->line);
  if (statement.kind == Kind::empty) return {};
  if (auto loop = column_loop(statement)) {
    // A short loop of fixed length is not treated as a loop over columns; every lane repeats it.
    const bool fixed = loop->bound->value && *loop->bound->value <= 16;
    if (!fixed) return take_loop(std::move(*loop));
  }
  if (effects.write)
    if (auto fine = check_once(statement); !fine) return fine;
  if (const Node *out = find(statement, [](const Node &node) { return node.kind == Kind::return_; }))
    return obstacle("a row can end early", out->line);
  shape_.parts.push_back({&statement, effects.write != nullptr, -1});
  return {};
}

std::expected<void, Obstacle> Sorter::run() {
  for (const Node *statement : shape_.frame.statements)
    if (auto fine = take(*statement); !fine) return fine;
  if (shape_.loops.empty()) return obstacle("no loop over columns was found in the row", kernel_.line);
  return {};
}

}  // namespace

std::expected<RowShape, Obstacle> row_shape(const Kernel &kernel) {
  auto frame = item_frame(kernel);
  if (!frame) return std::unexpected(frame.error());
  if (frame->loop)
    return obstacle("the kernel already processes its rows in a grid-stride loop", kernel.line);
  RowShape shape;
  shape.frame = std::move(*frame);
  if (auto fine = Sorter(kernel, shape).run(); !fine) return std::unexpected(fine.error());
  if (auto fine = find_touches(kernel, shape); !fine) return std::unexpected(fine.error());
  return shape;
}

}  // namespace cupilot::rewrite
