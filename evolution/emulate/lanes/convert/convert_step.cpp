// SPDX-License-Identifier: Apache-2.0
//
// convert_any as a step: registers of any width around convert_bits.

#include <algorithm>

#include "evolution/emulate/lanes/convert/convert_any.h"

namespace cupilot::emulate::lanes {
namespace {

using u64 = std::uint64_t;

std::byte *frame_of(machine::Warp &warp) {
  return reinterpret_cast<program::WarpFrame &>(warp).frame;
}

u64 read(const std::byte *at, int bits, int lane) {
  switch (bits) {
    case 8:
      return reinterpret_cast<const std::uint8_t *>(at)[lane];
    case 16:
      return reinterpret_cast<const std::uint16_t *>(at)[lane];
    case 32:
      return reinterpret_cast<const std::uint32_t *>(at)[lane];
    default:
      return reinterpret_cast<const u64 *>(at)[lane];
  }
}
void write(std::byte *at, int bits, int lane, u64 value) {
  switch (bits) {
    case 8:
      reinterpret_cast<std::uint8_t *>(at)[lane] = static_cast<std::uint8_t>(value);
      break;
    case 16:
      reinterpret_cast<std::uint16_t *>(at)[lane] = static_cast<std::uint16_t>(value);
      break;
    case 32:
      reinterpret_cast<std::uint32_t *>(at)[lane] = static_cast<std::uint32_t>(value);
      break;
    default:
      reinterpret_cast<u64 *>(at)[lane] = value;
      break;
  }
}

/// Packed elements lie this many bits apart: e2m3 in bytes, ue8m0 too.
int element_bits(const Format &format) {
  const int bits = format.bits + format.unused_low;
  return bits == 6 || bits == 9 ? 8 : bits;
}

/// Cut to the type and, for integers, extended to 64 bits.
u64 typed(u64 bits, const Format &format) {
  const int width = std::min(element_bits(format), format.bits + format.unused_low);
  if (width >= 64) return bits;
  const u64 mask = (u64{1} << width) - 1;
  bits &= mask;
  const bool negative = format.kind == Format::Kind::signed_integer && (bits >> (width - 1)) != 0;
  return negative ? bits | ~mask : bits;
}

u64 convert_lane(const ConversionStep &step, u64 a, u64 b) {
  const Conversion &how = step.conversion;
  if (step.packed) {
    const int from = element_bits(how.from), to = element_bits(how.to);
    return convert_bits(typed(a, how.from), how) | convert_bits(typed(a >> from, how.from), how) << to;
  }
  if (step.sources == 2)
    return convert_bits(typed(a, how.from), how) << element_bits(how.to) |
           convert_bits(typed(b, how.from), how);
  return convert_bits(typed(a, how.from), how);
}

}  // namespace

void convert_any(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &conversion = *static_cast<const ConversionStep *>(step.detail);
  std::byte *to = frame_of(warp) + step.at[0];
  const std::byte *a = frame_of(warp) + step.at[1];
  const std::byte *b = conversion.sources == 2 ? frame_of(warp) + step.at[2] : a;
  for (int lane = 0; lane < program::kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const u64 r = convert_lane(conversion, read(a, conversion.from_storage, lane),
                               read(b, conversion.from_storage, lane));
    write(to, conversion.to_storage, lane, r);
  }
}

void pack_saturated(machine::Warp &warp, const program::Step &step, program::Mask mask) {
  const auto &how = *static_cast<const PackStep *>(step.detail);
  const std::int32_t most = how.sign ? (1 << (how.bits - 1)) - 1 : (1 << how.bits) - 1;
  const std::int32_t least = how.sign ? -most - 1 : 0;
  const auto word = [&](int at, int lane) {
    return reinterpret_cast<const std::int32_t *>(frame_of(warp) + step.at[at])[lane];
  };
  const auto part = [&](std::int32_t value) {
    return static_cast<std::uint32_t>(std::clamp(value, least, most)) & ((std::uint32_t{1} << how.bits) - 1);
  };
  auto *to = reinterpret_cast<std::uint32_t *>(frame_of(warp) + step.at[0]);
  for (int lane = 0; lane < program::kLanes; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const std::uint32_t c = how.shifted ? static_cast<std::uint32_t>(word(3, lane)) << (2 * how.bits) : 0;
    to[lane] = c | part(word(1, lane)) << how.bits | part(word(2, lane));
  }
}

}  // namespace cupilot::emulate::lanes
