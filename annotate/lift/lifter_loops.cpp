// SPDX-License-Identifier: Apache-2.0
//
// Loops with a counter. A loop that strides over the grid, or over the threads of a block, is a loop over all
// its iterations; in the latter case each thread holds a share of what it folds.

#include <fmt/format.h>

#include <algorithm>

#include "annotate/lift/digits.h"
#include "annotate/lift/folds.h"
#include "annotate/lift/lifter.h"
#include "annotate/rewrite/analysis.h"
#include "annotate/rewrite/text.h"
#include "annotate/spec/lifted_fields.h"
#include "annotate/spec/lifted_text.h"
#include "annotate/spec/polynomial.h"

namespace cupilot::lift {

using rewrite::Kind;
using rewrite::Type;
using spec::Expr;
using spec::ExprKind;
using spec::Polynomial;
using spec::Statement;
using spec::StatementKind;

namespace {

/// How far `node` moves the counter at every iteration; null if it does not.
const rewrite::Node *step_of(const rewrite::Node &node, int counter, bool &one) {
  one = node.kind == Kind::unary && node.text == "++" && rewrite::is_name(node.children[0], counter);
  if (one) return &node;
  if (node.kind != Kind::assign || !rewrite::is_name(node.children[0], counter)) return nullptr;
  if (node.text == "+=") return &node.children[1];
  const rewrite::Node &value = node.children[1];
  if (node.text != "=" || value.kind != Kind::binary || value.text != "+") return nullptr;
  for (int side = 0; side < 2; ++side)
    if (rewrite::is_name(value.children[side], counter)) return &value.children[1 - side];
  return nullptr;
}

/// Whether `node` is `--counter` or `counter -= 1`.
bool counts_down(const rewrite::Node &node, int counter) {
  const bool changes = (node.kind == Kind::unary || node.kind == Kind::assign) && !node.children.empty() &&
                       rewrite::is_name(node.children[0], counter);
  return changes && (node.text == "--" || (node.text == "-=" && node.children[1].value == 1));
}

Expr coordinate(const char *kind, char dimension) {
  return spec::named(ExprKind::axis, std::string(kind) + dimension, "int");
}

Expr launch_size(const char *object, char dimension) {
  return spec::named(ExprKind::parameter, std::string(object) + "." + dimension, "unsigned int");
}

}  // namespace

/// Counter, bounds and step of a `for` or a `while` whose last statement moves the counter.
Lift<Lifter::Counter> Lifter::counter_of(const Node &node) {
  static const Node kNothing;
  const bool is_for = node.kind == Kind::for_;
  const Node &initial = is_for ? node.children[0] : kNothing;
  const Node &condition = rewrite::bare(node.children[is_for ? 1 : 0]);
  const Node &body = node.children[is_for ? 3 : 1];
  const auto parts = rewrite::parts_of(body);
  const bool last = !is_for || node.children[2].kind == Kind::none;
  if (last && parts.empty()) return not_lifted("a loop whose end does not show", node.line);
  const Node &move = last ? *parts.back() : node.children[2];
  const auto unknown = [&] { return not_lifted("a loop that does not count up to a bound", node.line); };
  if (condition.kind != Kind::binary || condition.children[0].type.kind == Type::Kind::floating)
    return unknown();

  Counter counter;
  if (const int variable = rewrite::bare(condition.children[0]).variable;
      rewrite::bare(condition.children[0]).kind == Kind::name && counts_down(move, variable)) {
    // From the last one to the first: the same iterations as the other way round.
    const bool named = initial.kind == Kind::declaration && initial.children.size() == 1 &&
                       initial.children[0].variable == variable && initial.children[0].children.size() == 1;
    if (!named || (condition.text != ">=" && condition.text != ">") ||
        rewrite::mentions(condition.children[1], variable))
      return unknown();
    CUPILOT_TRY(most, expr(initial.children[0].children[0]));
    CUPILOT_TRY(least, expr(condition.children[1]));
    counter.variable = variable;
    counter.body = &body;
    counter.down = true;
    counter.begin = condition.text == ">" ? (Polynomial::of(least) + Polynomial(1)).expr() : least;
    counter.end = (Polynomial::of(most) + Polynomial(1)).expr();
    counter.step = spec::constant(1);
    return counter;
  }
  const bool swapped = condition.text == ">" || condition.text == ">=";
  const Node &whole = rewrite::bare(condition.children[swapped ? 1 : 0]);
  // `c + 1 < cols` ends at `cols - 1`.
  const bool ahead = whole.kind == Kind::binary && whole.text == "+" && whole.type.text == "int" &&
                     rewrite::bare(whole.children[0]).kind == Kind::name;
  // `tile * 16 < n` ends at `(n + 15) / 16`.
  const auto factor = whole.kind == Kind::binary && whole.text == "*" && whole.type.text == "int" &&
                              rewrite::bare(whole.children[0]).kind == Kind::name
                          ? whole.children[1].value
                          : std::nullopt;
  const bool inclusive = condition.text == "<=" || condition.text == ">=";
  const bool in_tiles = factor && *factor > 0 && *factor <= 65536 && !inclusive;
  const Node &left = ahead || in_tiles ? rewrite::bare(whole.children[0]) : whole;
  const Node &right = condition.children[swapped ? 0 : 1];
  if (left.kind != Kind::name || (condition.text != "<" && condition.text != "!=" && !swapped && !inclusive))
    return unknown();
  counter.variable = left.variable;
  counter.body = &body;

  bool by_one = false;
  const Node *step = step_of(move, counter.variable, by_one);
  if (step == nullptr) return unknown();
  if (initial.kind == Kind::declaration && initial.children.size() == 1 &&
      initial.children[0].variable == counter.variable && initial.children[0].children.size() == 1) {
    CUPILOT_TRY(begin, expr(initial.children[0].children[0]));
    counter.begin = std::move(begin);
  } else if (initial.kind == Kind::assign && rewrite::is_name(initial.children[0], counter.variable)) {
    CUPILOT_TRY(begin, expr(initial.children[1]));
    counter.begin = std::move(begin);
  } else if (initial.kind == Kind::none && initial_.contains(counter.variable) &&
             !unsettled_.contains(counter.variable)) {
    counter.begin = initial_[counter.variable];
  } else {
    return unknown();
  }
  if (rewrite::mentions(right, counter.variable)) return unknown();
  CUPILOT_TRY(end, expr(right));
  if (ahead) {
    if (rewrite::mentions(whole.children[1], counter.variable)) return unknown();
    CUPILOT_TRY(less, expr(whole.children[1]));
    const std::string type = end.type;
    end = spec::binary("-", std::move(end), std::move(less), type);
  }
  if (in_tiles) {
    if (condition.text == "!=") return unknown();
    const std::string type = end.type;
    end = spec::binary("+", std::move(end), spec::constant(*factor - 1), type);
    end = spec::binary("/", std::move(end), spec::constant(*factor), type);
  }
  counter.end = inclusive ? spec::binary("+", end, spec::constant(1), end.type) : end;
  if (by_one) {
    counter.step = spec::constant(1);
  } else {
    CUPILOT_TRY(by, expr(*step));
    counter.step = std::move(by);
  }
  if (condition.text == "!=" && !spec::is_constant(counter.step, 1)) return unknown();
  return counter;
}

Lift<Statement> Lifter::loop_statement(const Counter &counter, const Node &node) {
  const std::string name = fresh(name_of(counter.variable));
  const std::string type = kernel_.variables[counter.variable].type.text;
  Statement loop{.kind = StatementKind::loop, .name = name, .type = type};
  loop.begin = counter.begin;
  loop.end = counter.end;
  loop.step = counter.step;
  loop.line = node.line;
  values_[counter.variable] = spec::named(ExprKind::axis, name, type);
  declared_at_.erase(counter.variable);
  const bool moves_inside = node.kind == Kind::while_ || node.children[2].kind == Kind::none;
  auto parts = rewrite::parts_of(*counter.body);
  if (moves_inside) parts.pop_back();
  for (const Node *part : parts)
    if (rewrite::assigned(*part, counter.variable))
      return not_lifted(fmt::format("the loop changes its counter '{}'", name_of(counter.variable)),
                        part->line);
  const auto outer = followed_;
  const auto depths = declared_at_;
  CUPILOT_CHECKED(follow_pointers(counter, parts, values_[counter.variable]));
  const bool tiles = team_ && fills_tiles(*counter.body) && !exchanges(*counter.body);
  const bool fills = std::ranges::none_of(parts, [](const Node *part) {
    return rewrite::find(*part, [](const Node &one) {
             return one.kind == Kind::call && one.text.starts_with("__sync");
           }) != nullptr;
  });
  ends_[name] = counter.end;
  open_[name] = ++opened_;
  if (spec::is_constant(counter.begin, 0) && spec::is_constant(counter.step, 1)) from_zero_.insert(name);
  if (std::ranges::any_of(Polynomial::of(counter.begin).terms(),
                          [](const auto &term) { return term.second < 0; }))
    below_zero_[name] = counter.begin;
  const std::size_t rows = rows_.size();
  if (team_) add_rows(counter, name);
  const int filled = filled_;
  const Rounds rounds = team_ ? begin_rounds(*counter.body, node) : Rounds();
  tiling_ += tiles;
  auto inner = in_scope(parts, differs(counter.begin) || differs(counter.end));
  tiling_ -= tiles;
  const auto ended = team_ ? end_rounds(*counter.body, rounds) : Lift<void>();
  if (!fills) std::erase_if(tiles_, [&](const auto &one) { return one.second.fill > filled; });
  ends_.erase(name);
  from_zero_.erase(name);
  below_zero_.erase(name);
  open_.erase(name);
  values_.erase(counter.variable);
  used_names_.erase(name);  // the next loop may have the same counter
  if (!inner) return std::unexpected(inner.error());
  CUPILOT_CHECKED(ended);
  for (auto &[moved, behind] : std::exchange(followed_, outer)) {
    if (outer.contains(moved)) continue;
    pointers_[moved] = std::move(behind);
    if (const auto depth = depths.find(moved); depth != depths.end())
      declared_at_[moved] = depth->second;
    else
      declared_at_.erase(moved);
  }
  loop.body = std::move(*inner);
  join_steps(loop.body);
  all_threads_ = take_rows(loop, rows);
  loop.loop = order_of(loop).kind;
  if (counter.down && loop.loop == spec::LoopKind::ordered) {
    // Where the order matters, it is the user's: what is counted is how far it is from the end.
    const Polynomial last = Polynomial::of(loop.end) - Polynomial(1);
    const Expr place = (last - Polynomial::symbol(spec::named(ExprKind::axis, name, type))).expr();
    spec::replace_all(loop.body, [&](const Expr &part) -> std::optional<Expr> {
      return part.kind == ExprKind::axis && part.text == name ? std::optional(place) : std::nullopt;
    });
    loop.end = (Polynomial::of(loop.end) - Polynomial::of(loop.begin)).expr();
    loop.begin = spec::constant(0);
  }
  return loop;
}

/// What a counter that is not the loop's own is behind it, if it counts from 0 to what is surely not below.
void Lifter::leave_counter(const Counter &counter, const Node &node) {
  if (node.kind == Kind::for_ && node.children[0].kind == Kind::declaration) return;
  unsettled_.insert(counter.variable);
  const auto step = Polynomial::of(counter.own_step).value();
  if (!spec::is_constant(counter.own_begin, 0) || !step || *step < 1) return;
  const Polynomial up = Polynomial::of(counter.end) + Polynomial(*step - 1);
  bool counted = *step == 1;  // by coordinates and counters, which are nowhere below 0, and numbers
  spec::visit(counter.end, [&](const Expr &part) {
    counted = counted && (part.kind == ExprKind::axis || part.kind == ExprKind::constant ||
                          (part.kind == ExprKind::binary && (part.text == "+" || part.text == "*")));
  });
  counted = counted && std::ranges::all_of(up.terms(), [](const auto &term) { return term.second >= 0; });
  if (!counted && !is_of_sizes(counter.end)) return;
  if (!counted)
    out_.needs.push_back({spec::binary(">=", up.expr(), spec::constant(0), "bool"),
                          fmt::format("'{}' has counted forward", name_of(counter.variable))});
  const Expr times = spec::binary("/", up.expr(), counter.own_step, counter.end.type);
  initial_[counter.variable] =
      *step == 1 ? counter.end : spec::binary("*", times, counter.own_step, counter.end.type);
  unsettled_.erase(counter.variable);
}

Lift<void> Lifter::loop(const Node &node) {
  CUPILOT_TRY(counter, counter_of(node));
  counter.own_begin = counter.begin;
  counter.own_step = counter.step;
  const Counter own = counter;
  CUPILOT_CHECKED(loop_by(std::move(counter), node));
  leave_counter(own, node);
  return {};
}

/// The loop by whose iterations it shares: all threads of the grid, of a block, of a warp, or nobody else.
Lift<void> Lifter::loop_by(Counter counter, const Node &node) {
  const Polynomial begin = Polynomial::of(counter.begin),
                   step = Polynomial::of(written_out(counter.step, out_.sizes));
  for (const char dimension : {'x', 'y', 'z'}) {
    const Expr global = coordinate(kGlobal, dimension), thread = coordinate(kThread, dimension),
               block = coordinate(kBlockIndex, dimension);
    const Polynomial threads = Polynomial::of(launch_size("block", dimension)),
                     blocks = Polynomial::of(launch_size("grid", dimension));
    // Several elements at a step: `for (i = 4 * global; i < n; i += 4 * grid)`.
    std::int64_t at_once = 1;
    const auto steps = [&](const Expr &from, const Polynomial &by) {
      const auto coefficient = begin.coefficient(from.text);
      const auto count = coefficient ? coefficient->value() : std::nullopt;
      if (!count || *count < 1 || !(step == by * Polynomial(*count))) return false;
      bool alone = *count == 1;  // or nothing else says where a thread begins
      if (!alone) alone = is_of_sizes(begin.without(from.text).expr());
      if (alone) at_once = *count;
      return alone;
    };
    const bool grid = steps(global, threads * blocks), by_blocks = steps(block, blocks);
    bool team = steps(thread, threads);
    if (!team && dimension == 'x' && threads_ > 0) team = steps(thread, Polynomial(threads_));
    if (const int rows = block_[static_cast<std::size_t>(dimension - 'x')];
        !team && team_ && dimension != 'x' && rows > 1 && steps(thread, Polynomial(rows))) {
      team = true;
      out_.needs.push_back(
          {spec::binary("==", launch_size("block", dimension), spec::constant(rows), "bool"), kRowsShare});
    }
    if (!grid && !by_blocks && !team) continue;
    const Expr &from = grid ? global : by_blocks ? block : thread;
    counter.begin = begin.without(from.text).expr();
    counter.step = spec::constant(at_once);
    if (team && team_ && dimension == 'x') return team_loop(counter, node);
    CUPILOT_TRY(one, loop_statement(counter, node));
    const Holds holds = [&](const Expr &condition) { return holds_everywhere(condition, out_.sizes, spec_); };
    if (one.loop == spec::LoopKind::ordered && grid)
      split_apart(one, used_names_, out_.sizes, holds, out_.needs);
    if (one.loop == spec::LoopKind::ordered)
      return not_lifted(
          "the iterations of this loop, which threads share, need each other: " + order_of(one).why,
          node.line);
    if (one.loop == spec::LoopKind::reduction) note_parts(one);
    emit(std::move(one), node);
    return {};
  }
  const Polynomial threads = Polynomial::of(launch_size("block", 'x')),
                   blocks = Polynomial::of(launch_size("grid", 'x'));
  const Polynomial place =
      Polynomial::of(coordinate(kBlockIndex, 'x')) * threads + Polynomial::of(coordinate(kThread, 'x'));
  const Polynomial start = begin - place;
  const Expr first = start.expr();
  const bool by_grid = step == threads * blocks || step == blocks * Polynomial(threads_);
  bool of_all = true;
  spec::visit(first, [&](const Expr &part) { of_all = of_all && part.kind != ExprKind::axis; });
  if (team_ && !warps_ && by_grid && of_all) {
    counter.begin = first;
    counter.step = spec::constant(1);
    return team_loop(counter, node, Shared::by_grid);
  }
  if (const auto first_filled = begin_of_fill(counter, node)) {
    counter.begin = *first_filled;
    counter.step = spec::constant(1);
    CUPILOT_TRY(one, loop_statement(counter, node));
    emit(std::move(one), node);
    return {};
  }
  const auto warp = begin.coefficient(kLane);
  if (warp && warp->value() == 1 && step.value() == 32) {
    counter.begin = begin.without(kLane).expr();
    counter.step = spec::constant(1);
    return team_loop(counter, node);
  }
  // A loop that steps by one is a thread's own, wherever it begins.
  const bool strides = step.value() != 1 && (begin.mentions("global.x") || depends_on_thread(counter.begin));
  if (depends_on_thread(counter.step) || strides)
    return not_lifted("which iterations of this loop are a thread's is not known", node.line);
  if (share_own_loops_ && team_ && rewrite::effects_of(kernel_, *counter.body).collective == nullptr &&
      !exchanges(*counter.body))
    return team_loop(counter, node, Shared::own);
  CUPILOT_TRY(one, loop_statement(counter, node));
  emit(std::move(one), node);
  return {};
}

/// A loop that every thread runs for elements of its own as a loop over the threads as well; false: it is
/// none, threads do the same, or each needs more of it than what it folds.
bool Lifter::over_threads(Statement &loop) {
  const std::string member = warps_ ? std::string(kLane) : std::string(kThread) + "x";
  bool differs = false, known = true, pure = loop.loop == spec::LoopKind::reduction;
  std::set<std::string> inner;
  spec::visit_statements(loop.body, [&](const Statement &one) {
    if (one.kind == StatementKind::value || one.kind == StatementKind::variable) inner.insert(one.name);
    pure = pure && one.kind != StatementKind::store && one.kind != StatementKind::update;
  });
  std::vector<Statement> body = loop.body;
  spec::replace_all(body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::value || inner.contains(part.text)) return std::nullopt;
    auto own = of_index(part);
    known = known && own.has_value();
    return own;
  });
  const std::string axis = fresh("t");
  spec::replace_all(body, [&](const Expr &part) -> std::optional<Expr> {
    if (part.kind != ExprKind::axis || part.text != member) return std::nullopt;
    differs = true;
    return spec::named(ExprKind::axis, axis, "int");
  });
  used_names_.erase(axis);
  if (!pure || !known || !differs) return false;
  Statement threads{.kind = StatementKind::loop, .name = axis, .type = "int"};
  threads.begin = spec::constant(0);
  threads.end = warps_ ? spec::constant(threads_) : launch_size("block", 'x');
  threads.step = spec::constant(1);
  threads.line = loop.line;
  threads.loop = spec::LoopKind::reduction;
  // Which is around the other is free: the one that makes longer steps in memory.
  bool outside = false;
  for (const Statement &one : body)
    spec::visit(one, [&](const Expr &part) {
      if (part.kind != ExprKind::load) return;
      const Polynomial index = Polynomial::of(part.parts[0]);
      const auto by_thread = index.coefficient(axis), by_counter = index.coefficient(loop.name);
      const auto far = by_thread ? by_thread->value() : std::nullopt,
                 near = by_counter ? by_counter->value() : std::nullopt;
      outside = outside || (far && near && *far > *near && *near > 0);
    });
  (outside ? loop : threads).body = std::move(body);
  if (outside)
    threads.body = {std::move(loop)}, loop = std::move(threads);
  else
    loop.body = {std::move(threads)};
  return order_of(loop).kind == spec::LoopKind::reduction;
}

/// What a loop over the grid folds is a part in each thread.
void Lifter::note_parts(const Statement &loop) {
  std::set<std::string> inner;
  spec::visit_statements(loop.body, [&](const Statement &one) {
    if (one.kind == StatementKind::value || one.kind == StatementKind::variable) inner.insert(one.name);
    if (one.kind == StatementKind::fold && !inner.contains(one.name)) out_.parts[one.name] = one.op;
  });
}

/// What each thread has of an earlier loop's fold, and has not given to others yet, goes on in the next loop.
/// Whether there is any.
bool Lifter::go_on_folding(const Node &body) {
  bool any = false;
  for (auto one = spread_.begin(); one != spread_.end();) {
    const auto &[variable, shares] = *one;
    const auto *first = shares.empty() ? nullptr : std::get_if<Share>(&shares.front());
    const Partial *partial =
        first == nullptr ? nullptr : &partials_[static_cast<std::size_t>(first->partial)];
    bool own = partial != nullptr && !partial->name.empty() && !spec::is_set(partial->value) &&
               rewrite::assigned(body, variable) != nullptr;
    for (std::size_t thread = 0; thread < shares.size() && own; ++thread) {
      const auto *share = std::get_if<Share>(&shares[thread]);
      own = share != nullptr && share->partial == first->partial && share->members[thread] &&
            !spec::is_set(share->base) && std::ranges::count(share->members, true) == 1;
    }
    if (!own) {
      ++one;
      continue;
    }
    values_[variable] = spec::named(ExprKind::value, partial->name, partial->type);
    one = spread_.erase(one);
    any = true;
  }
  return any;
}

/// All threads of the team together do all iterations: what a thread has folded is its share.
Lift<void> Lifter::team_loop(const Counter &counter, const Node &node, Shared how) {
  if (std::ranges::find(alive_, false) != alive_.end())
    return not_lifted("some threads have left before this loop, which threads share", node.line);
  if (differs(counter.end))
    return not_lifted("where this loop, which threads share, ends is not the same for all of them",
                      node.line);
  const bool goes_on = go_on_folding(*counter.body);
  std::map<std::string, int> outer;  // variables that the loop may fold, by name
  for (const auto &[variable, value] : values_)
    if (value.kind == ExprKind::value && declared_at_.contains(variable)) outer[value.text] = variable;
  CUPILOT_TRY(one, loop_statement(counter, node));
  if (how == Shared::own) {
    Statement each = one;
    if (!all_threads_ && !over_threads(each)) {
      if (goes_on)
        return not_lifted("what threads have of a sum or maximum changes before it is put together",
                          node.line);
      emit(std::move(one), node);
      return {};
    }
    one = std::move(each);
  }
  if (one.loop == spec::LoopKind::ordered)
    return not_lifted(
        "the iterations of this loop, which threads share, need each other: " + order_of(one).why, node.line);
  if (how == Shared::by_grid) note_parts(one);
  std::map<std::string, std::string> ops;
  spec::visit_statements(one.body, [&](const Statement &inner) {
    if (inner.kind == StatementKind::fold && outer.contains(inner.name)) ops[inner.name] = inner.op;
  });
  emit(std::move(one), node);
  for (const auto &[name, op] : ops) {
    const int variable = outer.at(name);
    if (!initial_.contains(variable) || !spec::is_identity(op, initial_.at(variable)))
      return not_lifted(fmt::format("every thread begins '{}' with a value of its own", name), node.line);
    const Expr value = values_.at(variable);
    partials_.push_back({name, value.type, op, {}});
    Spread shares;
    for (int thread = 0; thread < threads_; ++thread) {
      Share share{static_cast<int>(partials_.size()) - 1,
                  std::vector<bool>(static_cast<std::size_t>(threads_))};
      share.members[static_cast<std::size_t>(thread)] = true;
      shares.emplace_back(std::move(share));
    }
    spread_[variable] = std::move(shares);
    values_.erase(variable);
  }
  return {};
}

}  // namespace cupilot::lift
