// SPDX-License-Identifier: Apache-2.0
//
// Values to try: all pairs of special values, then random ones of every magnitude, some of them close to each
// other so that sums cancel.

#include <array>
#include <bit>
#include <random>
#include <span>

#include "tests/emulate/opcodes/form_ptx.h"

namespace cupilot::opcodes {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using Random = std::mt19937_64;

constexpr u64 kIntegers[] = {0,
                             1,
                             2,
                             3,
                             7,
                             31,
                             32,
                             33,
                             63,
                             64,
                             0x7f,
                             0x80,
                             0xff,
                             0x7fff,
                             0x8000,
                             0xffff,
                             0x10000,
                             0x7fffffff,
                             0x80000000,
                             0xfffffffe,
                             0xffffffff,
                             0x100000000,
                             0x7fffffffffffffff,
                             0x8000000000000000,
                             0xfffffffffffffffe,
                             0xffffffffffffffff,
                             0xffffffff80000000,
                             0x5555555555555555,
                             0xffffffffffff8000};
constexpr u64 kAmounts[] = {0,  1,  2,  7,  8,  15,  16,  17,  24,         31,        32,
                            33, 40, 63, 64, 65, 127, 255, 256, 0x80000000, 0xffffffff};
// Zero, subnormals, the least normal, about one, ties for narrower formats, the largest, infinity, NaN.
constexpr u64 kF32Bits[] = {0,          1,          2,          0x007fffff, 0x00800000, 0x00800001,
                            0x33000000, 0x38800000, 0x387fe000, 0x3effffff, 0x3f000000, 0x3f7fffff,
                            0x3f800000, 0x3f800001, 0x3f801000, 0x3f803000, 0x3f808000, 0x3fc00000,
                            0x40200000, 0x40490fdb, 0x43e00000, 0x43e80000, 0x477fe000, 0x477ff000,
                            0x4b000001, 0x4effffff, 0x4f000000, 0x4f800000, 0x5f000000, 0x7effffff,
                            0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000};
constexpr u64 kF64Bits[] = {0,
                            1,
                            0x000fffffffffffff,
                            0x0010000000000000,
                            0x3690000000000000,
                            0x36a0000000000000,
                            0x380fffffe0000000,
                            0x380ffffff0000000,
                            0x3810000000000000,
                            0x3fdfffffffffffff,
                            0x3fe0000000000000,
                            0x3fefffffffffffff,
                            0x3ff0000000000000,
                            0x3ff0000000000001,
                            0x3ff0000010000000,
                            0x3ff0000030000000,
                            0x3ff8000000000000,
                            0x4004000000000000,
                            0x41dfffffffc00000,
                            0x41e0000000000000,
                            0x41efffffffe00000,
                            0x43e0000000000000,
                            0x47efffffe0000000,
                            0x47efffffefffffff,
                            0x47effffff0000000,
                            0x7fdfffffffffffff,
                            0x7fefffffffffffff,
                            0x7ff0000000000000,
                            0x7ff0000000000001,
                            0x7ff8000000000000};
constexpr u64 kF16Bits[] = {0,      1,      2,      0x03ff, 0x0400, 0x0401, 0x1000, 0x2e66,
                            0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4248, 0x5bff,
                            0x6400, 0x77ff, 0x7bff, 0x7c00, 0x7c01, 0x7e00};
constexpr u64 kBf16Bits[] = {0,      1,      2,      0x007f, 0x0080, 0x0081, 0x1000, 0x2e66,
                             0x3f00, 0x3f7f, 0x3f80, 0x3f81, 0x3fc0, 0x4000, 0x4049, 0x4b00,
                             0x7e80, 0x7f00, 0x7f7f, 0x7f80, 0x7f81, 0x7fc0};

struct Class {
  std::span<const u64> specials;
  int bits;
  bool signs;  ///< each special also with the top bit set
};
Class class_of(Values values, char kind) {
  switch (values) {
    case Values::f32:
    case Values::f32x2:
    case Values::finite_f32:
      return {kF32Bits, 32, true};
    case Values::f64:
      return {kF64Bits, 64, true};
    case Values::f16:
    case Values::f16x2:
      return {kF16Bits, 16, true};
    case Values::bf16:
    case Values::bf16x2:
      return {kBf16Bits, 16, true};
    case Values::amount:
      return {kAmounts, 32, false};
    default:
      return {kIntegers, kind == 'h' ? 16 : kind == 'w' ? 32 : 64, false};
  }
}
std::size_t specials_of(const Class &about) {
  return about.specials.size() * (about.signs ? 2 : 1);
}
u64 special(const Class &about, std::size_t index) {
  const std::size_t half = about.specials.size();
  const u64 sign = index >= half ? u64{1} << (about.bits - 1) : 0;
  return about.specials[index % half] | sign;
}
u64 cut(u64 value, int bits) {
  return bits >= 64 ? value : value & ((u64{1} << bits) - 1);
}

/// Floating bits: mantissa bits of the format, exponents near one, at the bottom, or anywhere.
u64 random_real(Random &random, int bits, int mantissa, bool moderate) {
  const int exponent_bits = bits - 1 - mantissa;
  const u64 bias = (u64{1} << (exponent_bits - 1)) - 1;
  const u64 raw = random();
  u64 exponent = raw >> 8 & ((u64{1} << exponent_bits) - 1);
  if (moderate || raw % 4 < 2)
    exponent = bias - 6 + (raw >> 8) % 13;
  else if (raw % 4 == 2)
    exponent = (raw >> 8) % 5;
  const u64 sign = raw >> 7 & 1;
  return cut(random(), mantissa) | exponent << mantissa | sign << (bits - 1);
}

u64 random_value(Random &random, const Slot &slot) {
  const u64 raw = random();
  switch (slot.values) {
    case Values::f32:
      return random_real(random, 32, 23, false);
    case Values::finite_f32:
      return random_real(random, 32, 23, true);
    case Values::f64:
      return random_real(random, 64, 52, false);
    case Values::f16:
      return random_real(random, 16, 10, false);
    case Values::bf16:
      return random_real(random, 16, 7, false);
    case Values::amount:
      return raw % 8 ? raw >> 8 & 63 : raw >> 32;
    default:
      break;
  }
  const int bits = class_of(slot.values, slot.kind).bits;
  // Of every magnitude.
  return cut(raw, bits) >> (random() % static_cast<u64>(bits) / (raw % 2 + 1) * (raw % 3 == 0));
}

Slot element(const Slot &slot) {
  Slot one = slot;
  if (slot.values == Values::f32x2) one.values = Values::f32;
  if (slot.values == Values::f16x2) one.values = Values::f16;
  if (slot.values == Values::bf16x2) one.values = Values::bf16;
  return one;
}
bool packed(const Slot &slot) {
  return element(slot).values != slot.values;
}

/// `index`: which special value; beyond them, a random one.
u64 scalar(Random &random, const Slot &slot, std::size_t index) {
  const Class about = class_of(slot.values, slot.kind);
  if (slot.values == Values::truth) return random() & 1;
  if (slot.values == Values::fixed) return slot.constant;
  u64 value = index < specials_of(about) && slot.values != Values::finite_f32 ? special(about, index)
                                                                              : random_value(random, slot);
  value = cut(value, about.bits);
  return slot.values == Values::nonzero && value == 0 ? 3 : value;
}

u64 value_of(Random &random, const Slot &slot, std::size_t index) {
  if (!packed(slot)) return scalar(random, slot, index);
  const Slot one = element(slot);
  const Class about = class_of(one.values, one.kind);
  const u64 low = scalar(random, one, index), high = scalar(random, one, random() % (2 * specials_of(about)));
  return low | high << about.bits;
}

/// Some rows have two operands that nearly cancel.
void relate(Random &random, const Form &form, Row &row) {
  if (form.operands.size() < 2 || random() % 8 != 0) return;
  const std::size_t last = form.operands.size() - 1;
  const Slot &a = form.operands[0], &b = form.operands[last];
  if (a.values != b.values || a.kind != b.kind || a.values == Values::fixed || a.values == Values::truth ||
      a.values == Values::nonzero)
    return;
  const int bits = class_of(a.values, a.kind).bits;
  row[last] = cut(row[0] ^ (random() & 1) << (bits - 1) ^ (random() & 3), packed(a) ? 64 : bits);
}

u64 seed_of(const std::string &name) {
  u64 hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::vector<WarpRows> operand_rows(const Form &form, int warps) {
  Random random(seed_of(form.name));
  std::vector<WarpRows> all(static_cast<std::size_t>(warps));
  std::array<std::size_t, kMostSlots> count{};
  for (std::size_t i = 0; i < form.operands.size(); ++i)
    count[i] = specials_of(class_of(form.operands[i].values, form.operands[i].kind));
  for (std::size_t thread = 0; thread < all.size() * kWarp; ++thread) {
    Row &row = all[thread / kWarp][thread % kWarp];
    const bool pairs = form.operands.size() <= 2;
    std::size_t left = thread;
    for (std::size_t i = 0; i < form.operands.size(); ++i) {
      // One or two operands: all combinations first. More: special or random, by chance.
      std::size_t index =
          pairs ? (i + 1 < form.operands.size() ? left % count[i] : left) : random() % (2 * count[i]);
      if (pairs && thread >= count[0] * (form.operands.size() == 2 ? count[1] : 1))
        index = random() % (4 * count[i]);
      left /= count[i] == 0 ? 1 : count[i];
      row[i] = value_of(random, form.operands[i], index);
    }
    relate(random, form, row);
  }
  return all;
}

}  // namespace cupilot::opcodes
