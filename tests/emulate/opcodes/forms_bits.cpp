// SPDX-License-Identifier: Apache-2.0
//
// Bit counting and fields, shifts, byte permutation: references bit by bit.

#include "tests/emulate/opcodes/build.h"

namespace cupilot::opcodes {
namespace {

template <class U>
constexpr int kBits = 8 * sizeof(U);
template <class U>
int bit(U a, int at) {
  return at < 0 || at >= kBits<U> ? 0 : static_cast<int>(static_cast<u64>(a) >> at & 1);
}

/// Positions and lengths above 255 are beyond what PTX allows; machines do this.
template <class U>
int amount_of(u32 a) {
  return static_cast<int>(sizeof(U) == 4 ? a % 256 : std::min(a, 255U));
}

template <class U>
void counting(std::vector<Form> &all, const std::string &width) {
  const auto add = [&](const std::string &name, auto f) { all.push_back(form("bits", name + width, f)); };
  add("popc.b", [](U a) -> u32 {
    u32 count = 0;
    for (int i = 0; i < kBits<U>; ++i) count += static_cast<u32>(bit(a, i));
    return count;
  });
  add("clz.b", [](U a) -> u32 {
    u32 count = 0;
    while (count < kBits<U> && bit(a, kBits<U> - 1 - static_cast<int>(count)) == 0) ++count;
    return count;
  });
  add("brev.b", [](U a) -> U {
    U r = 0;
    for (int i = 0; i < kBits<U>; ++i) r = static_cast<U>(2 * r + static_cast<U>(bit(a, i)));
    return r;
  });
  for (const bool sign : {false, true}) {
    for (const bool amount : {false, true}) {
      add(std::string("bfind.") + (amount ? "shiftamt." : "") + (sign ? "s" : "u"),
          [sign, amount](U a) -> u32 {
            const int same = sign ? bit(a, kBits<U> - 1) : 0;
            for (int i = kBits<U> - 1; i >= 0; --i) {
              if (bit(a, i) != same) return static_cast<u32>(amount ? kBits<U> - 1 - i : i);
            }
            return 0xffffffff;
          });
    }
    Form extract = form("bits", std::string("bfe.") + (sign ? "s" : "u") + width,
                        [sign](U a, u32 position, u32 length) -> U {
                          const int from = amount_of<U>(position), count = amount_of<U>(length);
                          const int last = std::min(from + count - 1, kBits<U> - 1);
                          const int fill = sign && count != 0 ? bit(a, last) : 0;
                          U r = 0;
                          for (int i = kBits<U> - 1; i >= 0; --i) {
                            const bool inside = i < count && from + i < kBits<U>;
                            r = static_cast<U>(2 * r + static_cast<U>(inside ? bit(a, from + i) : fill));
                          }
                          return r;
                        });
    all.push_back(with(extract, {Values::integer, Values::amount, Values::amount}));
  }
  Form insert = form("bits", "bfi.b" + width, [](U a, U b, u32 position, u32 length) -> U {
    const int from = amount_of<U>(position), count = amount_of<U>(length);
    U r = 0;
    for (int i = kBits<U> - 1; i >= 0; --i) {
      const bool inside = i >= from && i < from + count;
      r = static_cast<U>(2 * r + static_cast<U>(inside ? bit(a, i - from) : bit(b, i)));
    }
    return r;
  });
  all.push_back(with(insert, {Values::integer, Values::integer, Values::amount, Values::amount}));
}

template <class T>
void shifts(std::vector<Form> &all, const std::string &type, bool left) {
  constexpr int kWidth = kBits<T>;
  if (left)
    all.push_back(with(
        form("bits", "shl." + type,
             [](T a, u32 b) -> T { return b >= kWidth ? T{0} : static_cast<T>(static_cast<u128>(a) << b); }),
        {Values::integer, Values::amount}));
  all.push_back(
      with(form("bits", "shr." + type,
                [](T a, u32 b) -> T { return static_cast<T>(static_cast<i128>(a) >> (b > 100 ? 100 : b)); }),
           {Values::integer, Values::amount}));
}

void funnels(std::vector<Form> &all) {
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? ".clamp.b32" : ".wrap.b32";
    const auto amount = [clamp](u32 c) { return clamp ? std::min(c, 32U) : c % 32; };
    all.push_back(with(form("bits", "shf.l" + mode,
                            [amount](u32 a, u32 b, u32 c) -> u32 {
                              return static_cast<u32>((((u128{b} << 32) + a) << amount(c)) >> 32);
                            }),
                       {Values::integer, Values::integer, Values::amount}));
    all.push_back(with(form("bits", "shf.r" + mode,
                            [amount](u32 a, u32 b, u32 c) -> u32 {
                              return static_cast<u32>(((u128{b} << 32) + a) >> amount(c));
                            }),
                       {Values::integer, Values::integer, Values::amount}));
    all.push_back(with(form("bits", std::string("bmsk.") + (clamp ? "clamp" : "wrap") + ".b32",
                            [amount](u32 a, u32 b) -> u32 {
                              u32 r = 0;
                              for (u32 i = 0; i < 32; ++i)
                                r |= i >= amount(a) && i - amount(a) < amount(b) ? 1U << i : 0U;
                              return r;
                            }),
                       {Values::amount, Values::amount}));
    for (const bool sign : {false, true}) {
      all.push_back(
          with(form("bits", std::string("szext.") + (clamp ? "clamp" : "wrap") + (sign ? ".s32" : ".u32"),
                    [amount, sign](u32 a, u32 b) -> u32 {
                      const u32 n = amount(b);
                      if (n == 0) return 0;
                      const i64 low = static_cast<i64>(u64{a} % (u64{1} << n));
                      return static_cast<u32>(sign && low >= i64{1} << (n - 1) ? low - (i64{1} << n) : low);
                    }),
               {Values::integer, Values::amount}));
    }
  }
}

u8 byte_of(u32 a, u32 b, u32 at) {
  return static_cast<u8>((at % 8 < 4 ? a : b) >> 8 * (at % 4));
}

void permutations(std::vector<Form> &all) {
  all.push_back(form("bits", "prmt.b32", [](u32 a, u32 b, u32 c) -> u32 {
    u32 r = 0;
    for (u32 i = 0; i < 4; ++i) {
      const u32 pick = c >> 4 * i & 15;
      const u8 byte = byte_of(a, b, pick);
      r |= (pick & 8 ? (byte >= 128 ? 0xffU : 0U) : byte) << 8 * i;
    }
    return r;
  }));
  struct Mode {
    const char *name;
    u8 picks[4][4];  ///< by c, low byte first
  };
  static constexpr Mode kModes[] = {
      {"f4e", {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}},
      {"b4e", {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}},
      {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
      {"ecl", {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}},
      {"ecr", {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}},
      {"rc16", {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}},
  };
  for (const Mode &mode : kModes) {
    all.push_back(form("bits", std::string("prmt.b32.") + mode.name, [&mode](u32 a, u32 b, u32 c) -> u32 {
      u32 r = 0;
      for (u32 i = 0; i < 4; ++i) r |= static_cast<u32>(byte_of(a, b, mode.picks[c % 4][i])) << 8 * i;
      return r;
    }));
  }
}

void nth_set(std::vector<Form> &all) {
  Form each = form("bits", "fns.b32", [](u32 bits, u32 base, u32 n) -> u32 {
    const i32 offset = static_cast<i32>(n) % 33;
    if (offset == 0) return bit(bits, static_cast<int>(base)) ? base : 0xffffffff;
    int left = offset < 0 ? -offset : offset;
    for (i32 at = static_cast<i32>(base); at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
      if (bit(bits, at) && --left == 0) return static_cast<u32>(at);
    }
    return 0xffffffff;
  });
  each.declarations = "  .reg .u32 %base;\n  .reg .s32 %n;\n";
  each.text = "and.b32 %base, %a1, 31; rem.s32 %n, %a2, 33; fns.b32 %d0, %a0, %base, %n;";
  const auto reference = each.lane;
  each.lane = [reference](const Row &a, Row &d) {
    Row within = a;
    within[1] &= 31;
    reference(within, d);
  };
  all.push_back(each);
}

}  // namespace

std::vector<Form> bits_forms() {
  std::vector<Form> all;
  counting<u32>(all, "32");
  counting<u64>(all, "64");
  shifts<u16>(all, "b16", true);
  shifts<u32>(all, "b32", true);
  shifts<u64>(all, "b64", true);
  shifts<u16>(all, "u16", false);
  shifts<u32>(all, "u32", false);
  shifts<u64>(all, "u64", false);
  shifts<i16>(all, "s16", false);
  shifts<i32>(all, "s32", false);
  shifts<i64>(all, "s64", false);
  funnels(all);
  permutations(all);
  nth_set(all);
  return all;
}

}  // namespace cupilot::opcodes
