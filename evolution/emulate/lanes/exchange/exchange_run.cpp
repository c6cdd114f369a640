// SPDX-License-Identifier: Apache-2.0
//
// Votes, matches and reductions of a warp. Every .sync form first gathers its members; results belong to each
// group of them.

#include "evolution/emulate/lanes/exchange/exchange.h"

#include <bit>

#include "evolution/emulate/lanes/exchange/exchange_members.h"

namespace cupilot::emulate::lanes::exchange {
namespace {

program::Mask voters(machine::Warp &warp, const program::Step &step, const VoteForm &form) {
  const program::Mask bits = warp.predicate(step.at[1]);
  return form.negated ? ~bits : bits;
}

/// The answer for the lanes of one group: a ballot, or all bits set for true.
template <Vote vote>
program::Mask count_votes(program::Mask group, program::Mask yes) {
  const program::Mask in_favour = group & yes;
  if constexpr (vote == Vote::all) return in_favour == group ? kAllLanes : 0;
  if constexpr (vote == Vote::any) return in_favour ? kAllLanes : 0;
  if constexpr (vote == Vote::uniform) return in_favour == group || !in_favour ? kAllLanes : 0;
  return in_favour;
}

template <Vote vote>
void run_vote(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &form = *static_cast<const VoteForm *>(step.detail);
  Members members{.here = true, .named = mask};
  if (form.sync) members = gather_members(warp, step, mask, 2);
  if (!members.here) return;
  const program::Mask yes = voters(warp, step, form);
  if (members.uniform) {
    const program::Mask answer = count_votes<vote>(members.named & mask, yes);
    if constexpr (vote == Vote::ballot) {
      std::uint32_t same[program::kLanes];
      for (std::uint32_t &lane : same) lane = answer;
      write_lanes(warp, step.at[0], mask, same);
    } else {
      write_predicate(warp, step.at[0], mask, answer);
    }
    return;
  }
  std::uint32_t answers[program::kLanes] = {};
  program::Mask bits = 0;
  for_lanes(mask, [&](int lane) {
    answers[lane] = count_votes<vote>(readable(members, mask, lane), yes);
    bits |= answers[lane] & program::Mask{1} << lane;
  });
  if constexpr (vote == Vote::ballot)
    write_lanes(warp, step.at[0], mask, answers);
  else
    write_predicate(warp, step.at[0], mask, bits);
}

template <typename T>
program::Mask lanes_equal(const T *values, program::Mask group, T wanted) {
  program::Mask equal = 0;
  for_lanes(group, [&](int lane) { equal |= static_cast<program::Mask>(values[lane] == wanted) << lane; });
  return equal;
}

template <typename T>
void run_match_any(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const Members members = gather_members(warp, step, mask, 2);
  if (!members.here) return;
  const T *a = lanes_of<T>(warp, step, 1);
  std::uint32_t to[program::kLanes] = {};
  for_lanes(mask, [&](int lane) { to[lane] = lanes_equal(a, readable(members, mask, lane), a[lane]); });
  write_lanes(warp, step.at[0], mask, to);
}

template <typename T>
void run_match_all(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const bool predicate = step.data != 0;
  const std::size_t a = predicate ? 2 : 1;
  const Members members = gather_members(warp, step, mask, a + 1);
  if (!members.here) return;
  const T *values = lanes_of<T>(warp, step, a);
  std::uint32_t to[program::kLanes] = {};
  program::Mask same = 0;
  for_lanes(mask, [&](int lane) {
    const program::Mask group = readable(members, mask, lane);
    if (lanes_equal(values, group, values[lane]) != group) return;
    to[lane] = group;
    same |= program::Mask{1} << lane;
  });
  write_lanes(warp, step.at[0], mask, to);
  if (predicate) write_predicate(warp, step.at[1], mask, same);
}

/// Folds each group in lane order and gives every member the result.
template <typename T, typename Fold>
void reduce_groups(machine::Warp &warp, const program::Step &step, program::Mask mask, Fold fold) {
  const Members members = gather_members(warp, step, mask, 2);
  if (!members.here) return;
  const T *a = lanes_of<T>(warp, step, 1);
  T to[program::kLanes] = {};
  for (program::Mask left = mask; left;) {
    const int first = std::countr_zero(left);
    const program::Mask group = readable(members, mask, first) | program::Mask{1} << first;
    T result = a[first];
    for_lanes(group & ~(program::Mask{1} << first), [&](int lane) { result = fold(result, a[lane]); });
    for_lanes(group, [&](int lane) { to[lane] = result; });
    left &= ~group;
  }
  write_lanes(warp, step.at[0], mask, to);
}

template <Reduce kind>
void run_reduce(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  if constexpr (kind == Reduce::min_signed || kind == Reduce::max_signed)
    reduce_groups<std::int32_t>(warp, step, mask, [](std::int32_t x, std::int32_t y) {
      return (kind == Reduce::min_signed) == (x < y) ? x : y;
    });
  else
    reduce_groups<std::uint32_t>(warp, step, mask, [](std::uint32_t x, std::uint32_t y) {
      if constexpr (kind == Reduce::add) return x + y;
      if constexpr (kind == Reduce::min_unsigned) return x < y ? x : y;
      if constexpr (kind == Reduce::max_unsigned) return x < y ? y : x;
      if constexpr (kind == Reduce::bit_and) return x & y;
      if constexpr (kind == Reduce::bit_or) return x | y;
      return x ^ y;
    });
}

bool is_nan(std::uint32_t bits) {
  return (bits & 0x7fffffff) > 0x7f800000;
}

/// min or max of f32 bits; -0 is less than +0. A NaN loses against a number, or wins with .NaN.
std::uint32_t pick(std::uint32_t x, std::uint32_t y, const FloatReduceForm &form) {
  constexpr std::uint32_t kNan = 0x7fffffff;
  if (is_nan(x) || is_nan(y)) {
    if (form.nan || (is_nan(x) && is_nan(y))) return kNan;
    return is_nan(x) ? y : x;
  }
  // The order of the bits as integers, once negative numbers are turned round.
  const auto ordered = [](std::uint32_t bits) {
    return static_cast<std::int32_t>(bits >> 31 ? bits ^ 0x7fffffff : bits);
  };
  return (ordered(x) < ordered(y)) != form.max ? x : y;
}

}  // namespace

program::Handler vote(Vote vote) {
  switch (vote) {
    case Vote::all:
      return run_vote<Vote::all>;
    case Vote::any:
      return run_vote<Vote::any>;
    case Vote::uniform:
      return run_vote<Vote::uniform>;
    case Vote::ballot:
      break;
  }
  return run_vote<Vote::ballot>;
}

void active_mask(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  mask = machine::running_together(warp, step, mask);
  std::uint32_t to[program::kLanes];
  for (std::uint32_t &lane : to) lane = mask;
  write_lanes(warp, step.at[0], mask, to);
}

program::Handler match_any(int bits) {
  return bits == 64 ? run_match_any<std::uint64_t> : run_match_any<std::uint32_t>;
}
program::Handler match_all(int bits) {
  return bits == 64 ? run_match_all<std::uint64_t> : run_match_all<std::uint32_t>;
}

program::Handler reduce(Reduce reduce) {
  switch (reduce) {
    case Reduce::add:
      return run_reduce<Reduce::add>;
    case Reduce::min_signed:
      return run_reduce<Reduce::min_signed>;
    case Reduce::max_signed:
      return run_reduce<Reduce::max_signed>;
    case Reduce::min_unsigned:
      return run_reduce<Reduce::min_unsigned>;
    case Reduce::max_unsigned:
      return run_reduce<Reduce::max_unsigned>;
    case Reduce::bit_and:
      return run_reduce<Reduce::bit_and>;
    case Reduce::bit_or:
      return run_reduce<Reduce::bit_or>;
    case Reduce::bit_xor:
      break;
  }
  return run_reduce<Reduce::bit_xor>;
}

void reduce_float(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &form = *static_cast<const FloatReduceForm *>(step.detail);
  const std::uint32_t keep = form.absolute ? 0x7fffffff : 0xffffffff;
  reduce_groups<std::uint32_t>(
      warp, step, mask, [&](std::uint32_t x, std::uint32_t y) { return pick(x & keep, y & keep, form); });
}

void elect(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const Members members = gather_members(warp, step, mask, 2);
  if (!members.here) return;
  std::uint32_t to[program::kLanes] = {};
  program::Mask leaders = 0;
  for_lanes(mask, [&](int lane) {
    const int leader = std::countr_zero(readable(members, mask, lane) | program::Mask{1} << lane);
    to[lane] = static_cast<std::uint32_t>(leader);
    if (leader == lane) leaders |= program::Mask{1} << lane;
  });
  write_lanes(warp, step.at[0], mask, to);
  write_predicate(warp, step.at[1], mask, leaders);
}

}  // namespace cupilot::emulate::lanes::exchange
