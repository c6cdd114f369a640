// SPDX-License-Identifier: Apache-2.0
//
// Tiles in shared memory: each thread puts one element of the user's memory there, and others read it. What
// is read is what the thread whose place it is has put there.

#include <fmt/format.h>

#include <algorithm>

#include "annotate/lift/lifter.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using rewrite::Kind;
using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;

/// Whether the body of a loop puts elements of the user's memory into shared memory.
bool Lifter::fills_tiles(const Node &body) const {
  return rewrite::find(body, [&](const Node &one) {
           if (one.kind != Kind::assign || one.children[0].kind != Kind::subscript ||
               !shared_.contains(rewrite::root_variable(one.children[0])))
             return false;
           return rewrite::find(one.children[1], [&](const Node &part) {
                    const int root = part.kind == Kind::subscript ? rewrite::root_variable(part) : -1;
                    return root >= 0 && !shared_.contains(root);
                  }) != nullptr;
         }) != nullptr;
}

Lift<void> Lifter::tile_indices(const Node &node, std::vector<Expr> &indices) {
  if (node.kind == Kind::name) return {};
  if (node.kind != Kind::subscript)
    return not_lifted("shared memory is used in a way that is not known here", node.line);
  CUPILOT_CHECKED(tile_indices(node.children[0], indices));
  CUPILOT_TRY(index, expr(node.children[1]));
  indices.push_back(std::move(index));
  return {};
}

Lift<void> Lifter::tile_store(const Node &node) {
  const int array = rewrite::root_variable(node.children[0]);
  const auto unknown = [&] {
    return not_lifted(fmt::format("which thread fills which element of '{}' is not known", name_of(array)),
                      node.line);
  };
  if (node.text != "=" || tiles_.contains(array)) return unknown();
  Tile tile;
  CUPILOT_CHECKED(tile_indices(node.children[0], tile.index));
  const auto &extents = shared_.at(array).extents;
  if (tile.index.size() != extents.size()) return unknown();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Expr &index = tile.index[i];
    if (index.kind != ExprKind::axis || !index.text.starts_with(kThread)) return unknown();
    const auto twice =
        std::ranges::count_if(tile.index, [&](const Expr &other) { return other.text == index.text; });
    const int threads = block_[static_cast<std::size_t>(index.text.back() - 'x')];
    if (twice != 1 || threads == 0 || threads > extents[i]) return unknown();
    out_.needs.push_back(
        {spec::binary("==",
                      spec::named(ExprKind::parameter, "block." + index.text.substr(index.text.size() - 1),
                                  "unsigned int"),
                      spec::constant(threads), "bool"),
         fmt::format("as many threads fill '{}'", name_of(array))});
  }
  CUPILOT_TRY(value, expr(node.children[1]));
  tile.value = std::move(value);
  tiles_[array] = std::move(tile);
  return {};
}

/// `if (c) tile[i][j] = a; else tile[i][j] = b;`, of as many tiles as one likes, or without `else` where the
/// tile has been filled before.
Lift<bool> Lifter::tile_branch(const Node &node) {
  const auto stores = [&](const Node &body) {
    return std::ranges::all_of(rewrite::parts_of(body), [&](const Node *one) {
      return one->kind == Kind::assign && one->text == "=" && one->children[0].kind == Kind::subscript &&
             shared_.contains(rewrite::root_variable(one->children[0]));
    });
  };
  const bool alone = node.children[2].kind == Kind::none;
  if (!stores(node.children[1]) || (!alone && !stores(node.children[2]))) return false;
  const auto first = rewrite::parts_of(node.children[1]), second = rewrite::parts_of(node.children[2]);
  if (first.empty() || (!alone && first.size() != second.size())) return false;
  CUPILOT_TRY(condition, expr(node.children[0]));
  for (std::size_t i = 0; i < first.size(); ++i) {
    const int array = rewrite::root_variable(first[i]->children[0]);
    if (!alone) CUPILOT_CHECKED(tile_store(*second[i]));
    const auto known = tiles_.find(array);
    if (known == tiles_.end())
      return not_lifted(alone ? fmt::format("'{}' is filled under a condition only", name_of(array))
                              : "a condition decides which tile is filled",
                        first[i]->line);
    const Tile other = known->second;
    tiles_.erase(known);
    CUPILOT_CHECKED(tile_store(*first[i]));
    Tile &tile = tiles_.at(array);
    if (!(tile.index == other.index))
      return not_lifted(fmt::format("a condition decides which element of '{}' is filled", name_of(array)),
                        first[i]->line);
    tile.value = Expr{ExprKind::select, "", tile.value.type, {condition, tile.value, other.value}};
  }
  return true;
}

/// Whether some thread has filled the place: 0 <= index < extent.
bool Lifter::within(const Expr &index, std::int64_t extent) const {
  if (index.kind != ExprKind::axis) return false;
  if (index.text.starts_with(kThread))
    return block_[static_cast<std::size_t>(index.text.back() - 'x')] <= extent;
  const auto end = ends_.find(index.text);
  const auto value = end == ends_.end() ? std::nullopt : Polynomial::of(end->second).value();
  return value && *value <= extent;
}

Lift<Expr> Lifter::tile_read(const Node &node) {
  const int array = rewrite::root_variable(node);
  const Tile &tile = tiles_.at(array);
  std::vector<Expr> at;
  CUPILOT_CHECKED(tile_indices(node, at));
  for (std::size_t i = 0; i < at.size() && at.size() == tile.index.size(); ++i) {
    const int threads = block_[static_cast<std::size_t>(tile.index[i].text.back() - 'x')];
    if (within(at[i], threads)) continue;
    return not_lifted(fmt::format("'{}' is read where it is not known to be filled", name_of(array)),
                      node.line);
  }
  return spec::replace(tile.value, [&](const Expr &part) -> std::optional<Expr> {
    for (std::size_t i = 0; i < at.size(); ++i)
      if (part.kind == ExprKind::axis && part.text == tile.index[i].text) return at[i];
    return std::nullopt;
  });
}

}  // namespace cupilot::lift
