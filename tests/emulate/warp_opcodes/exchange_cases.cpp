// SPDX-License-Identifier: Apache-2.0
// Shuffles, votes, matches, reductions of a warp.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/emulate/warp_opcodes/warp_case.h"

namespace cupilot::opcodes {
namespace {

std::uint32_t value_in(unsigned lane) {
  return static_cast<std::uint32_t>(scrambled(lane));
}
std::uint32_t distance_in(unsigned lane, int salt) {
  return static_cast<std::uint32_t>(scrambled(100 + lane + 64u * static_cast<unsigned>(salt)) % 32);
}

/// The lane that `lane` reads in segments of `width` lanes, or -1 where it keeps its own value.
int source(const std::string &mode, int lane, int by, int width) {
  const int first = lane / width * width;
  int from = lane;
  if (mode == "up") from = lane - by;
  if (mode == "down") from = lane + by;
  if (mode == "bfly") from = lane ^ by;
  if (mode == "idx") from = first + by % width;
  // A butterfly may go back to an earlier segment, but not on to a later one.
  const bool inside = mode == "bfly" ? from < first + width : from >= first && from < first + width;
  return inside ? from : -1;
}

WarpCase shuffle(const std::string &mode, int width, bool predicate, bool sync) {
  const std::uint32_t c = static_cast<std::uint32_t>(32 - width) << 8 | (mode == "up" ? 0 : 31);
  const auto from = [=](unsigned lane) {
    return source(mode, static_cast<int>(lane), static_cast<int>(distance_in(lane, width)), width);
  };
  Recipe recipe{.name = std::string("shfl") + (sync ? ".sync." : ".") + mode + (predicate ? " d|p" : " d") +
                        " width " + std::to_string(width),
                .in = {"b32 a", "b32 b"},
                .out = {"b32 d"},
                .input = [=](unsigned lane,
                             unsigned slot) { return slot == 0 ? value_in(lane) : distance_in(lane, width); },
                .expected = [=](unsigned lane, unsigned slot) -> std::uint64_t {
                  const int lane_read = from(lane);
                  if (slot == 1) return lane_read >= 0;
                  return value_in(lane_read >= 0 ? static_cast<unsigned>(lane_read) : lane);
                }};
  if (predicate) recipe.out.push_back("pred p");
  recipe.body = std::string("  shfl.") + (sync ? "sync." : "") + mode + ".b32 %d" + (predicate ? "|%p" : "") +
                ", %a, %b, " + std::to_string(c) + (sync ? ", -1;\n" : ";\n");
  return make_case(recipe);
}

/// Lanes of `members` shuffle, the others go round it and keep 7.
WarpCase partial_shuffle(std::uint32_t members) {
  const int count = std::popcount(members);
  const auto nth = [=](int n) {
    std::uint32_t left = members;
    for (; n > 0; --n) left &= left - 1;
    return std::countr_zero(left);
  };
  return make_case(
      {.name = "shfl.sync.idx among " + std::to_string(count) + " lanes",
       .in = {"b32 a", "b32 b", "pred q"},
       .out = {"b32 d"},
       .body = "  mov.u32 %d, 7;\n  @!%q bra L;\n  shfl.sync.idx.b32 %d, %a, %b, 31, " +
               std::to_string(members) + ";\nL:\n",
       .input = [=](unsigned lane, unsigned slot) -> std::uint64_t {
         if (slot == 0) return value_in(lane);
         if (slot == 1)
           return static_cast<std::uint64_t>(nth(static_cast<int>(distance_in(lane, 3)) % count));
         return members >> lane & 1;
       },
       .expected = [=](unsigned lane, unsigned) -> std::uint64_t {
         if (!(members >> lane & 1)) return 7;
         return value_in(static_cast<unsigned>(nth(static_cast<int>(distance_in(lane, 3)) % count)));
       }});
}

/// Each tile of eight lanes names only itself.
WarpCase tiled_shuffle() {
  return make_case({.name = "shfl.sync.bfly in tiles with own masks",
                    .in = {"b32 a", "b32 m"},
                    .out = {"b32 d"},
                    .body = "  shfl.sync.bfly.b32 %d, %a, 3, 6175, %m;\n",
                    .input = [](unsigned lane, unsigned slot) -> std::uint64_t {
                      return slot == 0 ? value_in(lane) : 0xffull << (lane / 8 * 8);
                    },
                    .expected = [](unsigned lane, unsigned) { return value_in(lane ^ 3); }});
}

std::uint64_t vote_result(const std::string &kind, std::uint32_t yes, std::uint32_t members) {
  yes &= members;
  if (kind == "all") return yes == members;
  if (kind == "any") return yes != 0;
  if (kind == "uni") return yes == members || yes == 0;
  return yes;
}

WarpCase vote(const std::string &kind, std::uint32_t yes, std::uint32_t members, bool negated, bool sync) {
  const bool ballot = kind == "ballot";
  return make_case(
      {.name = std::string("vote.") + (sync ? "sync." : "") + kind + (negated ? " !a " : " a ") +
               std::to_string(yes) + " of " + std::to_string(members),
       .in = {"pred a", "pred q"},
       .out = {ballot ? "b32 d" : "pred d"},
       .body = (ballot ? std::string("  mov.u32 %d, 0;\n") : std::string("  setp.ne.u32 %d, 0, 0;\n")) +
               "  @!%q bra L;\n  vote." + (sync ? "sync." : "") + kind + (ballot ? ".b32" : ".pred") +
               " %d, " + (negated ? "!" : "") + "%a" + (sync ? ", " + std::to_string(members) : "") +
               ";\nL:\n",
       .input = [=](unsigned lane, unsigned slot) -> std::uint64_t {
         return (slot == 0 ? yes : members) >> lane & 1;
       },
       .expected = [=](unsigned lane, unsigned) -> std::uint64_t {
         return members >> lane & 1 ? vote_result(kind, negated ? ~yes : yes, members) : 0;
       }});
}

WarpCase active_mask(std::uint32_t members) {
  return make_case({.name = "activemask " + std::to_string(members),
                    .in = {"pred q"},
                    .out = {"b32 d"},
                    .body = "  mov.u32 %d, 0;\n  @!%q bra L;\n  activemask.b32 %d;\nL:\n",
                    .input = [=](unsigned lane, unsigned) -> std::uint64_t { return members >> lane & 1; },
                    .expected = [=](unsigned lane, unsigned) -> std::uint64_t {
                      return members >> lane & 1 ? members : 0;
                    }});
}

WarpCase match(bool all, int bits, unsigned kinds, bool predicate) {
  const auto value = [=](unsigned lane) {
    const std::uint64_t base = scrambled(lane) % kinds;
    return bits == 64 ? base << 32 | 5 : base;
  };
  const auto same = [=](unsigned lane) {
    std::uint32_t mask = 0;
    for (unsigned other = 0; other < 32; ++other)
      mask |= static_cast<std::uint32_t>(value(other) == value(lane)) << other;
    return mask;
  };
  const std::string type = "b" + std::to_string(bits);
  Recipe recipe{.name = std::string("match.") + (all ? "all" : "any") + ".sync." + type + " of " +
                        std::to_string(kinds) + (predicate ? " d|p" : ""),
                .in = {type + " a"},
                .out = {"b32 d"},
                .body = std::string("  match.") + (all ? "all" : "any") + ".sync." + type + " %d" +
                        (predicate ? "|%p" : "") + ", %a, -1;\n",
                .input = [=](unsigned lane, unsigned) { return value(lane); },
                .expected = [=](unsigned lane, unsigned slot) -> std::uint64_t {
                  if (slot == 1) return same(lane) == ~0u;
                  return all ? (same(lane) == ~0u ? ~0u : 0u) : same(lane);
                }};
  if (predicate) recipe.out.push_back("pred p");
  return make_case(recipe);
}

std::uint32_t reduced(const std::string &operation, char kind, std::uint32_t members) {
  std::uint32_t result = 0;
  bool first = true;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(members >> lane & 1)) continue;
    const std::uint32_t x = value_in(lane);
    const bool less =
        kind == 's' ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(result) : x < result;
    if (first)
      result = x;
    else if (operation == "add")
      result += x;
    else if (operation == "and")
      result &= x;
    else if (operation == "or")
      result |= x;
    else if (operation == "xor")
      result ^= x;
    else if ((operation == "min") == less)
      result = x;
    first = false;
  }
  return result;
}

WarpCase reduce(const std::string &operation, char kind, std::uint32_t members) {
  return make_case({.name = "redux.sync." + operation + "." + kind + "32 of " + std::to_string(members),
                    .in = {"b32 a", "pred q"},
                    .out = {"b32 d"},
                    .body = "  mov.u32 %d, 0;\n  @!%q bra L;\n  redux.sync." + operation + "." + kind +
                            "32 %d, %a, " + std::to_string(members) + ";\nL:\n",
                    .input = [=](unsigned lane, unsigned slot) -> std::uint64_t {
                      return slot == 0 ? value_in(lane) : members >> lane & 1;
                    },
                    .expected = [=](unsigned lane, unsigned) -> std::uint64_t {
                      return members >> lane & 1 ? reduced(operation, kind, members) : 0;
                    }});
}

WarpCase reduce_float(bool max, bool absolute, bool nan) {
  const auto value = [](unsigned lane) {
    if (lane == 9) return std::numeric_limits<float>::quiet_NaN();
    return static_cast<float>(static_cast<int>(scrambled(lane) % 2001) - 1000) / 8;
  };
  float wanted = max ? -1e9f : 1e9f;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const float x = absolute ? std::fabs(value(lane)) : value(lane);
    if (x == x) wanted = max ? std::max(wanted, x) : std::min(wanted, x);
  }
  const std::uint32_t bits = nan ? 0x7fffffffu : std::bit_cast<std::uint32_t>(wanted);
  return make_case({.name = std::string("redux.sync.") + (max ? "max" : "min") + (absolute ? ".abs" : "") +
                            (nan ? ".NaN" : "") + ".f32",
                    .in = {"b32 a"},
                    .out = {"b32 d"},
                    .body = std::string("  redux.sync.") + (max ? "max" : "min") + (absolute ? ".abs" : "") +
                            (nan ? ".NaN" : "") + ".f32 %d, %a, -1;\n",
                    .input = [=](unsigned lane, unsigned) -> std::uint64_t {
                      return std::bit_cast<std::uint32_t>(value(lane));
                    },
                    .expected = [=](unsigned, unsigned) -> std::uint64_t { return bits; },
                    .gpu = false});
}

WarpCase elect() {
  return make_case(
      {.name = "elect.sync",
       .in = {"pred q"},
       .out = {"b32 d", "pred p"},
       .body = "  mov.u32 %d, 99;\n  setp.ne.u32 %p, 0, 0;\n  @!%q bra L;\n  elect.sync %d|%p, 4080;\nL:\n",
       .input = [](unsigned lane, unsigned) -> std::uint64_t { return 4080u >> lane & 1; },
       .expected = [](unsigned lane, unsigned slot) -> std::uint64_t {
         if (slot == 1) return lane == 4;
         return 4080u >> lane & 1 ? 4 : 99;
       }});
}

}  // namespace

std::vector<WarpCase> exchange_cases() {
  std::vector<WarpCase> cases;
  for (const char *mode : {"up", "down", "bfly", "idx"})
    for (int width : {32, 16, 8, 4, 2})
      for (bool predicate : {false, true}) cases.push_back(shuffle(mode, width, predicate, true));
  // Forms without .sync: gone since sm_70.
  for (const char *mode : {"up", "down", "bfly", "idx"}) {
    cases.push_back(shuffle(mode, 16, true, false));
    cases.back().gpu = false;
  }
  for (const char *kind : {"all", "any", "uni", "ballot"}) {
    cases.push_back(vote(kind, 0xff0u, 0xfff0u, false, false));
    cases.back().gpu = false;
  }
  for (std::uint32_t members : {0x1u, 0xffffu, 0xf0f0f0f0u, 0x80000001u})
    cases.push_back(partial_shuffle(members));
  cases.push_back(tiled_shuffle());
  for (const char *kind : {"all", "any", "uni", "ballot"})
    for (std::uint32_t yes : {0u, ~0u, 0x00ff00ffu, 0xfff0u})
      for (bool negated : {false, true})
        for (std::uint32_t members : {~0u, 0xfff0u}) cases.push_back(vote(kind, yes, members, negated, true));
  for (std::uint32_t members : {~0u, 1u, 0x55555555u}) cases.push_back(active_mask(members));
  for (int bits : {32, 64})
    for (unsigned kinds : {1u, 3u, 1000000u}) {
      cases.push_back(match(false, bits, kinds, false));
      for (bool predicate : {false, true}) cases.push_back(match(true, bits, kinds, predicate));
    }
  for (std::uint32_t members : {~0u, 0xff00ff00u}) {
    for (const char *operation : {"add", "min", "max"})
      for (char kind : {'u', 's'}) cases.push_back(reduce(operation, kind, members));
    for (const char *operation : {"and", "or", "xor"}) cases.push_back(reduce(operation, 'b', members));
  }
  for (bool max : {false, true})
    for (bool absolute : {false, true})
      for (bool nan : {false, true}) cases.push_back(reduce_float(max, absolute, nan));
  cases.push_back(elect());
  return cases;
}

}  // namespace cupilot::opcodes
