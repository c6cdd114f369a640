// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/lanes/arithmetic/video.h"

namespace cupilot::emulate::lanes {
namespace {

using i64 = std::int64_t;
using i128 = __int128;
using u32 = std::uint32_t;

/// `bits` of `word` from `at` on, extended.
i64 field(u32 word, int at, int bits, bool sign) {
  const auto wide = static_cast<i64>(static_cast<std::uint64_t>(word) >> at);
  const i64 low = wide & ((i64{1} << bits) - 1);
  return sign && (low >> (bits - 1) & 1) ? low - (i64{1} << bits) : low;
}
i64 picked(u32 word, int pick, bool sign) {
  if (pick == 6) return field(word, 0, 32, sign);
  return pick >= 4 ? field(word, 16 * (pick - 4), 16, sign) : field(word, 8 * pick, 8, sign);
}
int picked_bits(int pick) {
  return pick == 6 ? 32 : pick >= 4 ? 16 : 8;
}

i128 clamped(i128 value, int bits, bool sign) {
  const i128 most = (i64{1} << (sign ? bits - 1 : bits)) - 1, least = sign ? -(i64{1} << (bits - 1)) : 0;
  return value > most ? most : value < least ? least : value;
}

bool holds(int compare, i64 a, i64 b) {
  switch (compare) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return a < b;
    case 3:
      return a <= b;
    case 4:
      return a > b;
    default:
      return a >= b;
  }
}

constexpr i128 kHalf34 = i128{1} << 33;

i128 operated(const VideoStep &how, i64 a, i64 b) {
  const u32 amount = how.wrap                   ? static_cast<u32>(b) & 31
                     : static_cast<u32>(b) > 32 ? 32U
                                                : static_cast<u32>(b);
  switch (how.operation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absdiff:
      return a < b ? b - a : a - b;
    case VideoOperation::min:
      return a < b ? a : b;
    case VideoOperation::max:
      return a < b ? b : a;
    // Intermediate values have 34 bits.
    case VideoOperation::shl:
      return ((static_cast<i128>(a) * (i64{1} << amount) + kHalf34) & (2 * kHalf34 - 1)) - kHalf34;
    case VideoOperation::shr:
      return a >> amount;
    case VideoOperation::set:
      return holds(how.compare, a, b) ? 1 : 0;
    case VideoOperation::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case VideoOperation::mad:
      break;
  }
  return 0;
}

u32 combined(const VideoStep &how, i128 value, u32 c) {
  const auto word = static_cast<u32>(value);
  // Compared with more than 32 bits: an absolute difference is never negative.
  const bool sign = how.signed_result && how.operation != VideoOperation::absdiff;
  const bool less = field(word, 0, 32, sign) < field(c, 0, 32, how.signed_result);
  switch (how.second) {
    case VideoSecond::none:
      return word;
    case VideoSecond::add:
      return word + c;
    case VideoSecond::min:
      return less ? word : c;
    case VideoSecond::max:
      return less ? c : word;
    case VideoSecond::insert:
      break;
  }
  const int bits = picked_bits(how.pick_result);
  const int at = how.pick_result >= 4 ? 16 * (how.pick_result - 4) : 8 * how.pick_result;
  const u32 ones = ((u32{1} << bits) - 1) << at;
  return (c & ~ones) | ((word << at) & ones);
}

u32 scalar(const VideoStep &how, u32 x, u32 y, u32 c) {
  const i64 a = picked(x, how.pick_a, how.signed_a), b = picked(y, how.pick_b, how.signed_b);
  i128 value = operated(how, a, b);
  // A part of the word is inserted: saturation is to that part.
  const int bits = how.second == VideoSecond::insert ? picked_bits(how.pick_result) : 32;
  if (how.saturate) value = clamped(value, bits, how.signed_result);
  return combined(how, value, c);
}

u32 multiplied(const VideoStep &how, u32 x, u32 y, u32 z) {
  const i64 a = picked(x, how.pick_a, how.signed_a), b = picked(y, how.pick_b, how.signed_b);
  const i64 c = field(z, 0, 32, how.signed_result);
  i128 value = static_cast<i128>(a) * b;
  if (how.negate_product) value = -value;
  value += how.negate_c ? -static_cast<i128>(c) : static_cast<i128>(c);
  value += how.plus_one ? 1 : 0;
  value >>= how.shift;
  return static_cast<u32>(how.saturate ? clamped(value, 32, how.signed_result) : value);
}

u32 vectorial(const VideoStep &how, u32 a, u32 b, u32 c) {
  const int bits = 32 / how.lanes;
  const int per_word = how.lanes;
  u32 sum = how.second == VideoSecond::add ? c : 0, result = how.second == VideoSecond::add ? 0 : c;
  for (int lane = 0; lane < how.lanes; ++lane) {
    if ((how.written >> lane & 1) == 0) continue;
    const auto element = [&](int select, bool sign) {
      return field(select >= per_word ? b : a, bits * (select % per_word), bits, sign);
    };
    i128 value = operated(how, element(how.select_a[static_cast<std::size_t>(lane)], how.signed_a),
                          element(how.select_b[static_cast<std::size_t>(lane)], how.signed_b));
    if (how.saturate) value = clamped(value, bits, how.signed_result);
    if (how.second == VideoSecond::add) {
      sum += static_cast<u32>(value);
      continue;
    }
    const u32 ones = ((u32{1} << bits) - 1) << (bits * lane);
    result = (result & ~ones) | (static_cast<u32>(value) << (bits * lane) & ones);
  }
  return how.second == VideoSecond::add ? sum : result;
}

}  // namespace

void run_video(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &how = *static_cast<const VideoStep *>(step.detail);
  std::byte *frame = reinterpret_cast<program::WarpFrame &>(warp).frame;
  const auto word = [&](int at, int lane) {
    return step.operands > at ? reinterpret_cast<const u32 *>(frame + step.at[at])[lane] : 0;
  };
  auto *to = reinterpret_cast<u32 *>(frame + step.at[0]);
  for (int lane = 0; lane < program::kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const u32 a = word(1, lane), b = word(2, lane), c = word(3, lane);
    to[lane] = how.operation == VideoOperation::mad ? multiplied(how, a, b, c)
               : how.lanes > 1                      ? vectorial(how, a, b, c)
                                                    : scalar(how, a, b, c);
  }
}

}  // namespace cupilot::emulate::lanes
