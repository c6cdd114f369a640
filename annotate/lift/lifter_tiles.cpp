// SPDX-License-Identifier: Apache-2.0
//
// Tiles in shared memory: each thread puts one element of the user's memory there, and others read it. What
// is read is what the thread whose place it is has put there.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "annotate/lift/digits.h"
#include "annotate/lift/lifter.h"
#include "annotate/lift/plain_nodes.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using rewrite::Kind;
using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;

namespace {

bool is_integer_type(const std::string &type) {
  for (const char *name : {"int", "long", "long long", "size_t", "unsigned long", "unsigned int", "unsigned",
                           "unsigned long long", "uint", "int32_t", "uint32_t", "int64_t", "uint64_t"})
    if (type == name || type == std::string("std::") + name) return true;
  return false;
}

}  // namespace

/// Whether the body of a loop puts elements of the user's memory into shared memory.
bool Lifter::fills_tiles(const Node &body) const {
  std::set<int> loaded;  // what is declared in the body as something from the user's memory
  const auto is_memory = [&](const Node &part) {
    const int root = part.kind == Kind::subscript ? rewrite::root_variable(part) : -1;
    return (root >= 0 && !shared_.contains(root)) ||
           (part.kind == Kind::name && loaded.contains(part.variable));
  };
  const auto calls = [](const Node &one) {
    return one.kind == Kind::call && (one.function >= 0 || is_shuffle(one.text));
  };
  rewrite::walk(body, [&](const Node &one) {
    if (one.kind == Kind::declare && one.children.size() == 1 && rewrite::find(one.children[0], is_memory) &&
        !rewrite::find(one.children[0], calls) && !rewrite::assigned(body, one.variable))
      loaded.insert(one.variable);
  });
  return rewrite::find(body, [&](const Node &one) {
           return one.kind == Kind::assign && one.children[0].kind == Kind::subscript &&
                  shared_.contains(rewrite::root_variable(one.children[0])) &&
                  rewrite::find(one.children[1], is_memory) != nullptr;
         }) != nullptr;
}

/// The expression with values that this scope has named written out: what it means elsewhere. Nothing, if it
/// is made of a variable that changes.
std::optional<Expr> Lifter::without_names(const Expr &expr) const {
  bool known = true;
  Expr out = spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != spec::ExprKind::value) return std::nullopt;
    const auto named = std::ranges::find_if(*into_, [&](const Statement &one) {
      return one.name == part.text &&
             (one.kind == spec::StatementKind::value || one.kind == spec::StatementKind::variable);
    });
    if (named == into_->end()) return std::nullopt;
    if (named->kind == spec::StatementKind::variable) known = false;
    auto inner = without_names(named->value);
    known = known && inner;
    return inner ? std::move(inner) : std::optional(part);
  });
  return known ? std::optional(std::move(out)) : std::nullopt;
}

bool Lifter::is_private(int variable) const {
  return variable >= 0 && is_number_array(kernel_.variables[static_cast<std::size_t>(variable)]);
}

bool Lifter::is_own_store(const Node &node) const {
  return node.kind == Kind::assign && node.children[0].kind == Kind::subscript &&
         is_private(rewrite::root_variable(node.children[0]));
}

const std::vector<std::int64_t> &Lifter::extents_of(int array) const {
  const auto shared = shared_.find(array);
  return shared == shared_.end() ? kernel_.variables[static_cast<std::size_t>(array)].type.extents
                                 : shared->second.extents;
}

/// Whether a statement outside of loops fills a tile of several dimensions, which nothing else changes.
bool Lifter::is_fill(const Node &node) const {
  if (node.kind == Kind::if_ && node.children[2].kind == Kind::none) {
    const auto parts = rewrite::parts_of(node.children[1]);
    return parts.size() == 1 && parts[0]->kind == Kind::assign && is_fill(*parts[0]);
  }
  if (!fills_tiles(node) || node.kind != Kind::assign || node.text != "=") return false;
  const int array = rewrite::root_variable(node.children[0]);
  int changes = 0;
  rewrite::walk(kernel_.body, [&](const Node &one) {
    changes += one.kind == Kind::assign && rewrite::root_variable(one.children[0]) == array;
  });
  return changes == 1 && extents_of(array).size() > 1;
}

Lift<void> Lifter::tile_indices(const Node &node, std::vector<Expr> &indices) {
  if (node.kind == Kind::name) return {};
  if (node.kind != Kind::subscript)
    return not_lifted("shared memory is used in a way that is not known here", node.line);
  CUPILOT_CHECKED(tile_indices(node.children[0], indices));
  CUPILOT_TRY(index, expr(node.children[1]));
  indices.push_back(with_joined(index));
  return {};
}

/// Up to where the threads together fill the dimension of that index; what the launch must be for it is
/// noted; nullopt: it is not known.
std::optional<Expr> Lifter::end_of_fill(const Expr &index, const Tile &tile, std::int64_t extent, int array) {
  if (std::ranges::count(tile.index, index) != 1) return std::nullopt;
  if (index.kind == ExprKind::binary && (index.text == "/" || index.text == "%"))
    return end_of_digit(index, tile, array);
  if (index.kind != ExprKind::axis) return std::nullopt;
  if (const auto end = ends_.find(index.text); end != ends_.end())
    return from_zero_.contains(index.text) ? std::optional(end->second) : std::nullopt;
  if (!index.text.starts_with(kThread)) return std::nullopt;
  const char dimension = index.text.back();
  const int threads = block_[static_cast<std::size_t>(dimension - 'x')];
  const auto few = few_fill_.find(index.text);
  const std::int64_t end = few == few_fill_.end() ? threads : std::min<std::int64_t>(few->second, threads);
  if (threads == 0 || (extent > 0 && end > extent)) return std::nullopt;
  need_block(dimension, fmt::format("as many threads fill '{}'", name_of(array)));
  return spec::constant(end);
}

/// The condition of `if (threadIdx.y < 3 && c) tile[threadIdx.y] = ...;` without what says which of the
/// threads fill the tiles; nothing is left if it says nothing else.
Lift<std::optional<Expr>> Lifter::without_fillers(const Expr &condition,
                                                  const std::vector<const Node *> &stores) {
  std::vector<Expr> rest;
  for (const Expr &part : spec::conjuncts(condition)) {
    const bool first = part.kind == ExprKind::binary && part.text == "<" &&
                       part.parts[0].kind == ExprKind::axis && part.parts[0].text.starts_with(kThread);
    const auto end = first ? Polynomial::of(part.parts[1]).value() : std::nullopt;
    bool fills = end.value_or(0) > 0;
    for (std::size_t i = 0; i < stores.size() && fills; ++i) {
      std::vector<Expr> indices;
      CUPILOT_CHECKED(tile_indices(stores[i]->children[0], indices));
      fills = std::ranges::find(indices, part.parts[0]) != indices.end();
    }
    if (fills)
      few_fill_[part.parts[0].text] = end.value_or(0);
    else
      rest.push_back(part);
  }
  return rest.empty() ? std::optional<Expr>() : std::optional(spec::conjunction(rest));
}

void Lifter::need_block(char dimension, const std::string &why) {
  const Expr size = spec::named(ExprKind::parameter, std::string("block.") + dimension, "unsigned int");
  const int threads = block_[static_cast<std::size_t>(dimension - 'x')];
  out_.needs.push_back({spec::binary("==", size, spec::constant(threads), "bool"), why});
}

/// The same of `e / 16` and `e % 16`: places of `e`, a loop's counter or a thread's, in a row and in a
/// column. One of the two may be joined with the counter of another loop.
std::optional<Expr> Lifter::end_of_digit(const Expr &index, const Tile &tile, int array) {
  const Expr &whole = index.parts[0];
  const auto by = Polynomial::of(index.parts[1]).value();
  if (whole.kind != ExprKind::axis || !by || *by < 1) return std::nullopt;
  const bool thread = whole.text.starts_with(kThread);
  std::optional<std::int64_t> all;
  if (thread)
    all = block_[static_cast<std::size_t>(whole.text.back() - 'x')];
  else if (const auto end = ends_.find(whole.text); end != ends_.end() && from_zero_.contains(whole.text))
    all = Polynomial::of(end->second).value();
  if (!all || (thread && *all == 0) || *all % *by != 0) return std::nullopt;
  const Expr other = spec::binary(index.text == "/" ? "%" : "/", whole, index.parts[1], index.type);
  const auto is_other = [&](const Expr &one) {
    return one == other || std::ranges::any_of(rows_, [&](const Rows &rows) {
             return one.kind == ExprKind::axis && one.text == rows.all &&
                    spec::to_text(rows.thread) == spec::to_text(other);
           });
  };
  if (std::ranges::none_of(tile.index, is_other)) return std::nullopt;
  if (thread) need_block(whole.text.back(), fmt::format("as many threads fill '{}'", name_of(array)));
  return spec::constant(index.text == "/" ? *all / *by : *by);
}

/// Whether a tile that is known is filled again in a loop that began since: it would be made of what it was.
bool Lifter::fills_again(int array, const Tile &tile) const {
  const auto before = tiles_.find(array);
  if (before == tiles_.end()) return false;
  return std::ranges::any_of(open_, [&](const auto &loop) {
    const bool own =
        std::ranges::any_of(tile.index, [&](const Expr &index) { return spec::mentions(index, loop.first); });
    const auto then = before->second.loops.find(loop.first);
    return !own && (then == before->second.loops.end() || then->second != loop.second);
  });
}

/// What a tile holds is written where it is read, so nothing may have changed the memory meanwhile.
Lift<void> Lifter::check_tiled(const Statements &body) const {
  Lift<void> right;
  spec::visit_statements(body, [&](const Statement &one) {
    const bool stores = one.kind == spec::StatementKind::store || one.kind == spec::StatementKind::update;
    if (right && stores && tiled_.contains(one.name))
      right = not_lifted(fmt::format("'{}' is written, and threads keep elements of it", one.name), one.line);
  });
  return right;
}

Lift<void> Lifter::tile_store(const Node &node) {
  const int array = rewrite::root_variable(node.children[0]);
  const bool own = is_private(array);
  const auto &extents = extents_of(array);
  Tile tile;
  CUPILOT_CHECKED(tile_indices(node.children[0], tile.index));
  const std::size_t dimensions = std::max<std::size_t>(extents.size(), 1);
  // A condition around it would decide which elements are filled.
  const bool always = static_cast<std::size_t>(depth_) == open_.size();
  bool known = node.text == "=" && always && (own ? !fills_again(array, tile) : !tiles_.contains(array)) &&
               tile.index.size() == dimensions;
  for (std::size_t i = 0; i < tile.index.size() && known; ++i) {
    auto end = end_of_fill(tile.index[i], tile, extents.empty() ? 0 : extents[i], array);
    known = end.has_value();
    if (known) tile.end.push_back(std::move(*end));
  }
  if (!known)
    return not_lifted(
        own ? fmt::format("'{}' is an array of each thread", name_of(array))
            : fmt::format("which thread fills which element of '{}' is not known", name_of(array)),
        node.line);
  CUPILOT_TRY(named, expr(node.children[1]));
  const auto value = without_names(named);
  if (value) tile.value = with_joined(*value);
  if (!value || changes_later(tile.value))
    return not_lifted(fmt::format("what '{}' holds is made of what changes later", name_of(array)),
                      node.line);
  tile.loops = open_;
  tile.fill = ++filled_;
  tiles_[array] = std::move(tile);
  return {};
}

/// `if (c) tile[i][j] = a; else tile[i][j] = b;`, of as many tiles as one likes, or without `else`:
/// what is not filled then is what it was before, or zero.
Lift<bool> Lifter::tile_branch(const Node &node) {
  const auto stores = [&](const Node &body) {
    return std::ranges::all_of(rewrite::parts_of(body), [&](const Node *one) {
      return one->kind == Kind::assign && one->text == "=" && one->children[0].kind == Kind::subscript &&
             shared_.contains(rewrite::root_variable(one->children[0]));
    });
  };
  const bool alone = node.children[2].kind == Kind::none;
  if (!stores(node.children[1]) || (!alone && !stores(node.children[2]))) return false;
  const auto first = rewrite::parts_of(node.children[1]),
             second = alone ? std::vector<const Node *>() : rewrite::parts_of(node.children[2]);
  if (first.empty() || (!alone && first.size() != second.size())) return false;
  CUPILOT_TRY(given, expr(node.children[0]));
  std::optional<Expr> condition = with_joined(given);
  if (alone) {
    CUPILOT_TRY(rest, without_fillers(*condition, first));
    condition = std::move(rest);
  }
  const auto done = condition ? fill_under(*condition, first, second) : all_fill(first);
  few_fill_.clear();
  CUPILOT_CHECKED(done);
  return true;
}

Lift<void> Lifter::all_fill(const std::vector<const Node *> &stores) {
  for (const Node *store : stores) CUPILOT_CHECKED(tile_store(*store));
  return {};
}

/// Tiles that hold one thing where a condition holds, and another one elsewhere.
Lift<void> Lifter::fill_under(const Expr &condition, const std::vector<const Node *> &first,
                              const std::vector<const Node *> &second) {
  const bool alone = second.empty();
  for (std::size_t i = 0; i < first.size(); ++i) {
    const int array = rewrite::root_variable(first[i]->children[0]);
    if (!alone) CUPILOT_CHECKED(tile_store(*second[i]));
    const auto known = tiles_.find(array);
    if (known == tiles_.end() && !alone)
      return not_lifted("a condition decides which tile is filled", first[i]->line);
    const bool before = known != tiles_.end();
    Tile other;
    if (before) other = known->second;
    tiles_.erase(array);
    CUPILOT_CHECKED(tile_store(*first[i]));
    Tile &tile = tiles_.at(array);
    // What nobody has filled is nothing that counts.
    if (!before) other = {tile.index, tile.end, spec::constant(0), open_, 0};
    if (!(tile.index == other.index))
      return not_lifted(fmt::format("a condition decides which element of '{}' is filled", name_of(array)),
                        first[i]->line);
    tile.value = Expr{ExprKind::select, "", tile.value.type, {condition, tile.value, other.value}};
  }
  return {};
}

/// Of `threadIdx.x / 16` or `i % 8`, which of both are of non-negative numbers; nullopt: it is not known.
std::optional<std::int64_t> Lifter::largest(const Expr &digit) const {
  const Expr &whole = digit.parts[0];
  const auto by = Polynomial::of(digit.parts[1]).value();
  if (whole.kind != ExprKind::axis || !by || *by < 1) return std::nullopt;
  std::optional<std::int64_t> end;
  if (whole.text.starts_with(kThread))
    end = block_[static_cast<std::size_t>(whole.text.back() - 'x')];
  else if (const auto loop = ends_.find(whole.text); loop != ends_.end())
    end = Polynomial::of(loop->second).value();
  if (digit.text == "%") return *by - 1;
  return end && *end > 0 ? std::optional((*end - 1) / *by) : std::nullopt;
}

/// Whether an index is nowhere `end` or more, and nowhere negative; `min_part`: of the two that a loop that
/// ends at a minimum may end at. What sizes have to be so for it is added to `needed`.
bool Lifter::lies_within(const Expr &index, const Expr &end, std::size_t min_part,
                         std::vector<Expr> &needed) const {
  // Sizes as they are made, and numbers for those of the block, which the launch has to have anyway.
  const auto in_full = [&](const Expr &value) {
    return Polynomial::of(spec::replace(written_out(value, out_.sizes), [&](const Expr &part) {
      const bool size = part.kind == ExprKind::parameter && part.text.starts_with("block.");
      const int threads = size ? block_[static_cast<std::size_t>(part.text.back() - 'x')] : 0;
      return threads > 0 ? std::optional(spec::constant(threads)) : std::nullopt;
    }));
  };
  Polynomial most = in_full(index), least = most;
  const auto holds = [&](const Polynomial &value) {
    if (const auto number = value.value()) return *number >= 0;
    const Expr condition = spec::binary(">=", value.expr(), spec::constant(0), "bool");
    if (!spec::is_of_parameters(condition)) return false;
    if (std::ranges::find(needed, condition) == needed.end()) needed.push_back(condition);
    return true;
  };
  /// Sets the axis to the end of its range that makes the value largest or smallest.
  const auto set = [&](Polynomial &value, const std::string &axis, const Polynomial &first,
                       const Polynomial &last, bool largest) {
    if (!value.mentions(axis)) return true;
    const auto by = value.coefficient(axis);
    if (!by) return false;
    const auto is_negative = [](const auto &term) { return term.second < 0; };
    const bool falls = std::ranges::all_of(by->terms(), is_negative);
    if (!falls && std::ranges::any_of(by->terms(), is_negative)) return false;
    if (std::ranges::any_of(below_zero_, [&](const auto &one) { return by->mentions(one.first); }))
      return false;
    const Polynomial size = falls ? Polynomial() - *by : *by;
    // Of products with other axes, which are none below zero, the parameters are sizes.
    if (!size.value() && spec::is_of_parameters(size.expr()) && !holds(size)) return false;
    value = value.without(axis) + *by * (falls == largest ? first : last);
    return true;
  };
  const auto replace_axis = [&](const std::string &axis, const Polynomial &last,
                                const Polynomial &first = Polynomial()) {
    return set(most, axis, first, last, true) && set(least, axis, first, last, false);
  };
  bool known = true;
  spec::visit(index, [&](const Expr &part) {
    known =
        known && part.kind != ExprKind::load && part.kind != ExprKind::value && part.kind != ExprKind::call;
    if (part.kind == ExprKind::binary && (part.text == "/" || part.text == "%")) {
      const std::string digit = spec::to_text(part);
      const auto last = largest(part);
      if (last && most.mentions(digit)) known = replace_axis(digit, Polynomial(*last)) && known;
      return;
    }
    if (part.kind != ExprKind::axis || !known || !(most.mentions(part.text) || least.mentions(part.text)))
      return;
    if (part.text.starts_with(kThread)) {
      const int threads = block_[static_cast<std::size_t>(part.text.back() - 'x')];
      known = threads > 0 && replace_axis(part.text, Polynomial(threads - 1));
      return;
    }
    const auto loop = ends_.find(part.text);
    known = loop != ends_.end();
    if (!known) return;
    const auto below = below_zero_.find(part.text);
    const Polynomial first = below == below_zero_.end() ? Polynomial() : in_full(below->second);
    const bool minimum = loop->second.kind == ExprKind::call && loop->second.text == "min";
    const Expr &last = minimum ? loop->second.parts[min_part] : loop->second;
    known = replace_axis(part.text, in_full(last) - Polynomial(1), first);
  });
  return known && holds(in_full(end) - Polynomial(1) - most) && holds(least);
}

/// The same, where all workloads have such sizes; a launch has to test them.
bool Lifter::within(const Expr &index, const Expr &end) {
  for (const std::size_t min_part : {0u, 1u}) {
    std::vector<Expr> needed;
    if (!lies_within(index, end, min_part, needed)) continue;
    std::vector<spec::Need> needs;
    for (Expr &condition : needed)
      if (holds_everywhere(condition, out_.sizes, spec_))
        needs.push_back({std::move(condition), "what is read of a tile is filled"});
    if (needs.size() < needed.size()) continue;
    for (spec::Need &need : needs)
      if (std::ranges::find(out_.needs, need.condition, &spec::Need::condition) == out_.needs.end())
        out_.needs.push_back(std::move(need));
    return true;
  }
  return false;
}

Lift<Expr> Lifter::tile_read(const Node &node) {
  const int array = rewrite::root_variable(node);
  const Tile tile = tiles_.at(array);
  std::vector<Expr> at;
  CUPILOT_CHECKED(tile_indices(node, at));
  const auto unknown = [&] {
    return not_lifted(fmt::format("'{}' is read where it is not known to be filled", name_of(array)),
                      node.line);
  };
  if (at.size() != tile.index.size()) return unknown();
  // Names of places in the value, so that what the reader's index is made of stays apart from the filler's.
  const auto place = [](std::size_t i) { return "\1" + std::to_string(i); };
  for (std::size_t i = 0; i < at.size(); ++i)
    if (!within(at[i], tile.end[i])) return unknown();
  const Expr value = spec::replace(tile.value, [&](const Expr &part) -> std::optional<Expr> {
    for (std::size_t i = 0; i < at.size(); ++i)
      if (part == tile.index[i]) return spec::named(ExprKind::axis, place(i), "int");
    return std::nullopt;
  });
  // What is left of the filler's own place is not the reader's: threads, and loops that have ended.
  const bool one_row = block_[1] == 1 && block_[2] == 1;
  bool left = false;
  spec::visit(value, [&](const Expr &part) {
    if (part.kind != ExprKind::axis || part.text.starts_with("\1")) return;
    const bool thread = part.text.starts_with(kThread) || part.text == kLane || part.text.starts_with(kWarp);
    const bool other_row = part.text.starts_with(kThread) && !part.text.ends_with("x") && one_row;
    const bool coordinate = thread || part.text.starts_with(kBlockIndex) || part.text.starts_with(kGlobal);
    if (thread || (part.text.starts_with(kGlobal) && team_))
      left = left || (!is_private(array) && !other_row);
    const auto then = tile.loops.find(part.text);
    const auto now = open_.find(part.text);
    const bool same = then != tile.loops.end() && now != open_.end() && then->second == now->second;
    left = left || (!coordinate && !same);
  });
  if (left) return unknown();
  spec::visit(value, [&](const Expr &part) {
    if (part.kind == ExprKind::load) tiled_.insert(part.text);
  });
  return spec::replace(value, [&](const Expr &part) -> std::optional<Expr> {
    for (std::size_t i = 0; i < at.size(); ++i)
      if (part.kind == ExprKind::axis && part.text == place(i)) return at[i];
    return std::nullopt;
  });
}

/// Where a loop that only fills tiles begins, if all threads of a block of several rows share it:
/// `i = threadIdx.y * blockDim.x + threadIdx.x; i < n; i += blockDim.x * blockDim.y`.
std::optional<Expr> Lifter::begin_of_fill(const Counter &counter, const Node &node) const {
  const Node &body = node.children[node.kind == Kind::for_ ? 3 : 1];
  if (!fills_tiles(body) || exchanges(body)) return std::nullopt;
  const auto size = [&](std::size_t dimension, bool number) {
    return number ? Polynomial(block_[dimension])
                  : Polynomial::of(spec::named(ExprKind::parameter, std::string("block.") + "xyz"[dimension],
                                               "unsigned int"));
  };
  const auto thread = [](char dimension) {
    return Polynomial::of(spec::named(ExprKind::axis, std::string(kThread) + dimension, "int"));
  };
  for (const bool number : {false, true}) {
    if (number && (block_[0] == 0 || block_[1] == 0 || block_[2] != 1)) continue;
    const Polynomial rest = Polynomial::of(counter.begin) - thread('x') - thread('y') * size(0, number);
    const bool threads =
        rest.mentions(std::string(kThread) + "x") || rest.mentions(std::string(kThread) + "y");
    if (!threads && Polynomial::of(counter.step) == size(0, number) * size(1, number)) return rest.expr();
  }
  return std::nullopt;
}

/// Of a loop with constant bounds, the counts that threads and iterations may have together: `thread.y + j`
/// where `j` steps by as many as there are threads along y, `thread.x + l * 256` where it steps by one.
void Lifter::add_rows(const Counter &counter, const std::string &axis) {
  const auto end = Polynomial::of(counter.end).value(), step = Polynomial::of(counter.step).value();
  if (!spec::is_constant(counter.begin, 0) || !end || !step || *step < 1 || *end % *step != 0) return;
  const auto add = [&](char dimension, const Expr &thread, int threads) {
    if (threads < 2 || threads % *step != 0 || (warps_ && dimension == 'x')) return;
    // A name that nobody else has, and that nobody sees unless the loop becomes one over all of them.
    const std::string all = fmt::format("{}_all#{}", axis, ++rows_made_);
    rows_.push_back({axis, all, thread, dimension, threads / *step, threads / *step * *end});
    ends_[rows_.back().all] = spec::constant(rows_.back().end);
    from_zero_.insert(rows_.back().all);
  };
  const auto thread = [](char dimension) {
    return spec::named(ExprKind::axis, std::string(kThread) + dimension, "int");
  };
  for (const char dimension : {'x', 'y', 'z'})
    add(dimension, thread(dimension), block_[static_cast<std::size_t>(dimension - 'x')]);
  for (int width = 2; width < block_[0]; width *= 2) {
    if (block_[0] % width != 0) break;
    add('x', spec::binary("/", thread('x'), spec::constant(width), "int"), block_[0] / width);
    add('x', spec::binary("%", thread('x'), spec::constant(width), "int"), width);
  }
}

/// The expression with what threads and iterations count together as one axis.
Expr Lifter::joined(const Expr &expr) {
  Expr out = expr;
  for (Rows &rows : rows_) {
    if (!spec::mentions(out, rows.axis) || !spec::mentions(out, std::string(kThread) + rows.dimension))
      continue;
    const Polynomial all = Polynomial::of(out);
    const std::string thread = spec::to_text(rows.thread);
    const auto by_loop = all.coefficient(rows.axis), by_thread = all.coefficient(thread);
    if (!by_loop || !by_thread || by_thread->is_zero() || !(*by_loop == *by_thread * Polynomial(rows.times)))
      continue;
    rows.used = true;
    out = (all.without(rows.axis).without(thread) +
           *by_thread * Polynomial::of(spec::named(ExprKind::axis, rows.all, "int")))
              .expr();
  }
  return out;
}

/// The same of all indices in it.
Expr Lifter::with_joined(const Expr &expr) {
  return spec::replace(expr, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::binary || !is_integer_type(part.type)) return std::nullopt;
    Expr other = joined(part);
    return other == part ? std::nullopt : std::optional(std::move(other));
  });
}

/// Ends what add_rows began: if the body knows threads and iterations only together, the loop is one over
/// all of them.
bool Lifter::take_rows(Statement &loop, std::size_t from) {
  bool along_x = false;
  for (std::size_t i = from; i < rows_.size(); ++i) {
    const Expr thread = rows_[i].thread;
    const std::string whole = std::string(kThread) + rows_[i].dimension;
    std::vector<Statement> body = loop.body;
    spec::replace_all(body, [&](const Expr &part) { return std::optional(with_joined(part)); });
    bool apart = false, together = false;
    for (const Statement &one : body)
      spec::visit(one, [&](const Expr &part) {
        apart = apart || (part.kind == ExprKind::axis && (part.text == loop.name || part.text == whole));
        together = together || (part.kind == ExprKind::axis && part.text == rows_[i].all);
      });
    const auto need = [&] { need_block(rows_[i].dimension, kRowsShare); };
    const bool fills = rows_[i].used;
    if (together && !apart) {
      loop.body = std::move(body);
      loop.name = fresh(rows_[i].axis + "_all");
      spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
        const bool own = part.kind == ExprKind::axis && part.text == rows_[i].all;
        return own ? std::optional(spec::named(ExprKind::axis, loop.name, part.type)) : std::nullopt;
      });
      loop.type = "int";
      loop.end = spec::constant(rows_[i].end);
      loop.step = spec::constant(1);
      need();
      along_x = rows_[i].dimension == 'x';
      break;
    }
    if (fills) need();
    if (together) {
      // They are known apart, too: what counts them together is written out.
      const Expr both =
          (Polynomial::of(thread) +
           Polynomial(rows_[i].times) * Polynomial::of(spec::named(ExprKind::axis, loop.name, loop.type)))
              .expr();
      spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
        const bool own = part.kind == ExprKind::axis && part.text == rows_[i].all;
        return own ? std::optional(both) : std::nullopt;
      });
    }
  }
  rows_.resize(from);
  return along_x;
}

}  // namespace cupilot::lift
