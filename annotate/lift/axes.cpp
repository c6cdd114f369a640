// SPDX-License-Identifier: Apache-2.0
#include "annotate/lift/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "annotate/lift/folds.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using spec::Expr;
using spec::ExprKind;
using spec::LoopKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// From the outermost loop to the innermost.
constexpr std::array kCoordinates{"block_index.z", "block_index.y", "block_index.x", "global.z",
                                  "global.y",      "global.x",      "warp.x",        "thread.z",
                                  "thread.y",      "thread.x",      "lane"};
constexpr std::array kDefaultNames{"block_z", "block_y", "block", "z", "y",   "i",
                                   "warp",    "tz",      "ty",    "t", "lane"};

bool is_coordinate(const Expr &expr, std::string_view name) {
  return expr.kind == ExprKind::axis && expr.text == name;
}

bool uses(const Expr &expr, std::string_view coordinate) {
  bool found = false;
  spec::visit(expr, [&](const Expr &part) { found = found || is_coordinate(part, coordinate); });
  return found;
}
bool uses(const Statement &statement, std::string_view coordinate) {
  bool found = false;
  spec::visit(statement, [&](const Expr &part) { found = found || is_coordinate(part, coordinate); });
  return found;
}

Expr launch_size(std::string name) {
  return spec::named(ExprKind::parameter, std::move(name), "unsigned int");
}

/// How many values a coordinate has in a launch.
Expr extent_in_launch(const std::string &coordinate) {
  const std::string dimension = coordinate.substr(coordinate.size() - 1);
  if (coordinate.starts_with(kBlockIndex)) return launch_size("grid." + dimension);
  if (coordinate.starts_with(kThread)) return launch_size("block." + dimension);
  if (coordinate == kLane) return spec::constant(32);
  Expr threads =
      spec::binary("*", launch_size("grid." + dimension), launch_size("block." + dimension), "unsigned int");
  if (coordinate.starts_with(kWarp))
    return spec::binary("/", std::move(threads), spec::constant(32), "unsigned int");
  return threads;
}

struct Bounds {
  std::optional<Expr> begin, end;
};

class Axes {
public:
  Axes(Walked walked, const Holds &holds) : walked_(std::move(walked)), holds_(holds) {}
  Lift<spec::Lifted> run();

private:
  bool used(std::string_view coordinate) const;
  bool bounds_by(const Guard &guard);
  void join_coordinates(char dimension);
  void join_all_coordinates();
  void exchange_threads();
  bool joined(char dimension, const Polynomial &threads);
  void write_block_as_digit(char dimension);
  Expr needed_block_size(char dimension);
  void replace_everywhere(const spec::Replace &replaced);
  void work_alone();
  void wrap_guards();
  Lift<void> wrap_threads(const std::string &coordinate);
  Lift<void> wrap(const std::string &coordinate, const std::string &name);
  std::string name_for(const std::string &coordinate, const char *usual);
  void rename(const std::string &coordinate, const std::string &name);

  Walked walked_;
  const Holds &holds_;
  std::map<std::string, Bounds> bounds_;
  std::vector<Guard> others_;
};

bool Axes::used(std::string_view coordinate) const {
  return std::ranges::any_of(walked_.body, [&](const Statement &one) { return uses(one, coordinate); }) ||
         std::ranges::any_of(walked_.guards,
                             [&](const Guard &one) { return uses(one.condition, coordinate); });
}

/// Whether the condition is a bound of one coordinate, over parameters.
bool Axes::bounds_by(const Guard &guard) {
  const Expr &condition = guard.condition;
  const bool less = condition.text == "<" || condition.text == "<=",
             greater = condition.text == ">" || condition.text == ">=";
  if (condition.kind != ExprKind::binary || (!less && !greater)) return false;
  const Expr &low = condition.parts[less ? 0 : 1], &high = condition.parts[less ? 1 : 0];
  bool plain = true;
  spec::visit(condition, [&](const Expr &part) {
    plain =
        plain && part.kind != ExprKind::value && part.kind != ExprKind::load && part.kind != ExprKind::call;
  });
  if (!plain) return false;
  // low < high: what is left of `high - low` without the coordinate bounds it.
  const Polynomial room =
      Polynomial::of(high) - Polynomial::of(low) + Polynomial(condition.text.size() == 2 ? 1 : 0);
  std::string only;
  for (const char *coordinate : kCoordinates) {
    if (!room.mentions(coordinate)) continue;
    if (!only.empty()) return false;
    only = coordinate;
  }
  if (only.empty() || (walked_.team && (only.starts_with(kThread) || only == kLane))) return false;
  const auto by = room.coefficient(only);
  const auto times = by ? by->value() : std::nullopt;
  if (!times || (*times != 1 && *times != -1)) return false;
  Bounds &bounds = bounds_[only];
  auto &side = *times < 0 ? bounds.end : bounds.begin;
  if (side) return false;
  // coordinate < rest, or coordinate > -rest, which is coordinate >= 1 - rest
  const bool as_written = is_coordinate(low, only) && condition.text.size() == 1;
  side = as_written   ? high
         : *times < 0 ? room.without(only).expr()
                      : (Polynomial(1) - room.without(only)).expr();
  return true;
}

/// The coordinate that a condition holds for the first of only: `threadIdx.x == 0`, `!threadIdx.x`.
std::optional<std::string> first_of(const Expr &condition) {
  const bool zero = condition.kind == ExprKind::unary && condition.text == "!";
  const bool equal = condition.kind == ExprKind::binary && condition.text == "==";
  if (!zero && !equal) return std::nullopt;
  for (std::size_t side = 0; side < condition.parts.size(); ++side)
    if (condition.parts[side].kind == ExprKind::axis &&
        (zero || spec::is_constant(condition.parts[1 - side], 0)))
      return condition.parts[side].text;
  return std::nullopt;
}

/// Where only the first thread of a block or of the grid does anything, its coordinate is 0 and no axis.
void Axes::work_alone() {
  for (std::size_t i = 0; i < walked_.guards.size(); ++i) {
    const auto first = first_of(walked_.guards[i].condition);
    if (!first || (walked_.team && !first->starts_with(kBlockIndex))) continue;
    walked_.guards.erase(walked_.guards.begin() + static_cast<std::ptrdiff_t>(i--));
    const std::string dimension(1, first->back());
    const auto axis = [&](const char *kind) { return kind + dimension; };
    const bool grid = *first == axis(kGlobal);
    replace_everywhere([&](const Expr &part) -> std::optional<Expr> {
      if (is_coordinate(part, *first) ||
          (grid && (is_coordinate(part, axis(kThread)) || is_coordinate(part, axis(kBlockIndex)))))
        return spec::constant(0);
      if (!is_coordinate(part, axis(kGlobal))) return std::nullopt;
      const bool thread = *first == axis(kThread);
      if (!thread) return spec::named(ExprKind::axis, axis(kThread), "int");
      return spec::binary("*", spec::named(ExprKind::axis, axis(kBlockIndex), "int"),
                          needed_block_size(dimension[0]), "int");
    });
  }
}

/// Conditions that bound no coordinate stay, around the statements that they stand over.
void Axes::wrap_guards() {
  for (auto guard = others_.rbegin(); guard != others_.rend(); ++guard) {
    const auto from =
        walked_.body.begin() + static_cast<std::ptrdiff_t>(std::min(guard->from, walked_.body.size()));
    Statement branch{.kind = StatementKind::branch, .value = guard->condition, .line = guard->line};
    branch.body.assign(std::make_move_iterator(from), std::make_move_iterator(walked_.body.end()));
    walked_.body.erase(from, walked_.body.end());
    walked_.body.push_back(std::move(branch));
  }
}

/// Where threads of a block cooperate, what each of them does alone is a loop over them.
Lift<void> Axes::wrap_threads(const std::string &coordinate) {
  for (Statement &one : walked_.body) {
    if (!uses(one, coordinate)) continue;
    Statement loop{.kind = StatementKind::loop, .name = coordinate, .type = "int", .line = one.line};
    loop.begin = spec::constant(0);
    loop.end = extent_in_launch(coordinate);
    loop.step = spec::constant(1);
    loop.body.push_back(std::move(one));
    if (const LoopOrder order = order_of(loop, Iterations::threads); order.kind != LoopKind::independent)
      return not_lifted(order.why.empty()
                            ? "each thread of a block has a result of its own, and nobody puts them together"
                            : "threads of a block do not work apart from each other: " + order.why,
                        loop.line);
    one = std::move(loop);
  }
  return {};
}

void Axes::rename(const std::string &coordinate, const std::string &name) {
  const spec::Replace to = [&](const Expr &part) -> std::optional<Expr> {
    return is_coordinate(part, coordinate) ? std::optional(spec::named(ExprKind::axis, name, "int"))
                                           : std::nullopt;
  };
  spec::replace_all(walked_.body, to);
}

Lift<void> Axes::wrap(const std::string &coordinate, const std::string &name) {
  const Bounds &bounds = bounds_[coordinate];
  Statement loop{.kind = StatementKind::loop, .name = name, .type = "int"};
  loop.begin = bounds.begin ? *bounds.begin : spec::constant(0);
  loop.end = bounds.end ? *bounds.end : extent_in_launch(coordinate);
  loop.step = spec::constant(1);
  if (bounds.end)
    walked_.needs.push_back({spec::binary(">=", extent_in_launch(coordinate), loop.end, "bool"),
                             fmt::format("the launch has a {} for every {}",
                                         coordinate.starts_with(kBlockIndex) ? "block"
                                         : coordinate.starts_with(kWarp)     ? "warp"
                                                                             : "thread",
                                         name)});
  if (!walked_.body.empty()) loop.line = walked_.body.front().line;
  loop.body = std::move(walked_.body);
  const LoopOrder order = order_of(loop, Iterations::threads);
  if (order.kind != LoopKind::independent &&
      !split_apart(loop, walked_.used, walked_.sizes, holds_, walked_.needs))
    return not_lifted(fmt::format("threads do not work apart from each other: {}", order.why), loop.line);
  walked_.body.clear();
  walked_.body.push_back(std::move(loop));
  return {};
}

std::string Axes::name_for(const std::string &coordinate, const char *usual) {
  const auto known = walked_.names.find(coordinate);
  std::string name = known == walked_.names.end() ? usual : known->second;
  const std::string base = name;
  for (int i = 2; !walked_.used.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

/// Where threads cooperate, blockIdx.x * blockDim.x + threadIdx.x was written out, or the block's size is a
/// number. If nothing else is left of the two, it is one coordinate again.
void Axes::join_coordinates(char dimension) {
  if (joined(dimension, Polynomial::of(launch_size(std::string("block.") + dimension)))) return;
  const int threads = walked_.block[static_cast<std::size_t>(dimension - 'x')];
  if (threads == 0) return;
  Walked copy = walked_;
  const std::string size = std::string("block.") + dimension;
  replace_everywhere([&](const Expr &part) -> std::optional<Expr> {
    const bool own = part.kind == ExprKind::parameter && part.text == size;
    return own ? std::optional(spec::constant(threads)) : std::nullopt;
  });
  if (joined(dimension, Polynomial(threads)))
    needed_block_size(dimension);
  else
    walked_ = std::move(copy);
}

/// How many threads a block has: a number, if it is the same in all workloads, and then a need.
Expr Axes::needed_block_size(char dimension) {
  const int threads = walked_.block[static_cast<std::size_t>(dimension - 'x')];
  Expr size = launch_size(std::string("block.") + dimension);
  if (threads == 0) return size;
  walked_.needs.push_back(
      {spec::binary("==", size, spec::constant(threads), "bool"), "the kernel counts on this block size"});
  return spec::constant(threads);
}

void Axes::replace_everywhere(const spec::Replace &replaced) {
  spec::replace_all(walked_.body, replaced);
  for (Guard &guard : walked_.guards) guard.condition = spec::replace(guard.condition, replaced);
}

bool Axes::joined(char dimension, const Polynomial &threads) {
  const auto axis = [&](const char *kind) {
    return spec::named(ExprKind::axis, std::string(kind) + dimension, "int");
  };
  const Expr block = axis(kBlockIndex), thread = axis(kThread), global = axis(kGlobal);
  const Polynomial place = Polynomial::symbol(block) * threads + Polynomial::symbol(thread);
  const spec::Replace as_one = [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::binary || part.text != "+" || !uses(part, thread.text) ||
        !uses(part, block.text))
      return std::nullopt;
    const Polynomial found = Polynomial::of(part);
    const auto times = found.coefficient(thread.text);
    if (!times || times->is_zero()) return std::nullopt;
    const Polynomial rest = found - place * *times;
    if (rest.mentions(thread.text) || rest.mentions(block.text)) return std::nullopt;
    return (rest + Polynomial::symbol(global) * *times).expr();
  };
  Walked copy = walked_;
  replace_everywhere(as_one);
  if (!used(thread.text)) return true;
  walked_ = std::move(copy);
  return false;
}

/// What is left of a block's index beside its threads' places is a digit of these.
void Axes::write_block_as_digit(char dimension) {
  const auto axis = [&](const char *kind) { return std::string(kind) + dimension; };
  if (!used(axis(kGlobal)) || !used(axis(kBlockIndex)) || used(axis(kThread))) return;
  const Expr digit = spec::binary("/", spec::named(ExprKind::axis, axis(kGlobal), "int"),
                                  needed_block_size(dimension), "int");
  replace_everywhere([&](const Expr &part) {
    return is_coordinate(part, axis(kBlockIndex)) ? std::optional(digit) : std::nullopt;
  });
}

void Axes::join_all_coordinates() {
  for (const char dimension : {'x', 'y', 'z'})
    if (walked_.team && used(std::string(kThread) + dimension) && used(std::string(kBlockIndex) + dimension))
      join_coordinates(dimension);
}

/// In square blocks threads along x may belong to blocks along y, and the other way round: who does which
/// element of a square is all the same.
void Axes::exchange_threads() {
  const std::string x = std::string(kThread) + "x", y = std::string(kThread) + "y";
  const auto apart = [&] { return used(x) || used(y); };
  const bool square = walked_.team && walked_.block[0] > 1 && walked_.block[0] == walked_.block[1];
  bool shared = used(kLane);
  spec::visit_statements(walked_.body,
                         [&](const Statement &one) { shared = shared || one.name == x || one.name == y; });
  if (!square || shared || !used(x) || !used(y)) return;
  const Walked before = walked_;
  join_all_coordinates();
  if (!apart()) return;
  Walked joined = std::exchange(walked_, before);
  replace_everywhere([&](const Expr &part) -> std::optional<Expr> {
    if (!is_coordinate(part, x) && !is_coordinate(part, y)) return std::nullopt;
    return spec::named(ExprKind::axis, is_coordinate(part, x) ? y : x, part.type);
  });
  join_all_coordinates();
  if (apart()) {
    walked_ = std::move(joined);
    return;
  }
  needed_block_size('x');
  needed_block_size('y');
  walked_.names.clear();
}

Lift<spec::Lifted> Axes::run() {
  work_alone();
  exchange_threads();
  join_all_coordinates();
  for (const char dimension : {'x', 'y', 'z'}) {
    write_block_as_digit(dimension);
    const std::string end(1, dimension);
    if (used(kGlobal + end) && (used(kThread + end) || used(kBlockIndex + end)))
      return not_lifted(
          fmt::format("threads find their place by threadIdx.{0} and blockIdx.{0} in two ways", dimension),
          0);
  }
  for (const Guard &guard : walked_.guards)
    if (!bounds_by(guard)) others_.push_back(guard);
  wrap_guards();
  spec::visit_statements(walked_.body, [&](const Statement &one) { walked_.used.insert(one.name); });
  std::vector<std::pair<std::string, std::string>> named;
  for (std::size_t i = 0; i < kCoordinates.size(); ++i) {
    const std::string coordinate = kCoordinates[i];
    const bool here =
        std::ranges::any_of(walked_.body, [&](const Statement &one) { return uses(one, coordinate); }) ||
        (bounds_.contains(coordinate));
    if (!here) continue;
    if (walked_.team && (coordinate == std::string(kThread) + "x" || coordinate == kLane))
      CUPILOT_CHECKED(wrap_threads(coordinate));
    const std::string name = name_for(coordinate, kDefaultNames[i]);
    rename(coordinate, name);
    if (walked_.team && (coordinate == std::string(kThread) + "x" || coordinate == kLane)) {
      for (Statement &one : walked_.body)
        if (one.kind == StatementKind::loop && one.name == coordinate) one.name = name;
      continue;
    }
    named.emplace_back(coordinate, name);
  }
  for (auto axis = named.rbegin(); axis != named.rend(); ++axis)
    CUPILOT_CHECKED(wrap(axis->first, axis->second));
  spec::Lifted lifted;
  lifted.body = std::move(walked_.body);
  for (spec::Need &need : walked_.needs)
    if (std::ranges::find(lifted.needs, need.condition, &spec::Need::condition) == lifted.needs.end())
      lifted.needs.push_back(std::move(need));
  lifted.wide = std::move(walked_.wide);
  return lifted;
}

}  // namespace

Lift<spec::Lifted> with_axes(Walked walked, const Holds &holds) {
  return Axes(std::move(walked), holds).run();
}

}  // namespace cupilot::lift
