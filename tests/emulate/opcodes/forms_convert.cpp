// SPDX-License-Identifier: Apache-2.0
//
// cvt between all types: the value as a long double, rounded by arithmetic.

#include <cmath>

#include "tests/emulate/opcodes/build.h"
#include "tests/emulate/opcodes/reference.h"

namespace cupilot::opcodes {
namespace {

struct Type {
  const char *name;
  int bits;
  bool real, sign;
  const Real *format;
  Values values;
};
constexpr Type kTypes[] = {
    {"u8", 8, false, false, nullptr, Values::integer},   {"s8", 8, false, true, nullptr, Values::integer},
    {"u16", 16, false, false, nullptr, Values::integer}, {"s16", 16, false, true, nullptr, Values::integer},
    {"u32", 32, false, false, nullptr, Values::integer}, {"s32", 32, false, true, nullptr, Values::integer},
    {"u64", 64, false, false, nullptr, Values::integer}, {"s64", 64, false, true, nullptr, Values::integer},
    {"f16", 16, true, true, &kF16, Values::f16},         {"bf16", 16, true, true, &kBf16, Values::bf16},
    {"f32", 32, true, true, &kF32, Values::f32},         {"f64", 64, true, true, &kF64, Values::f64},
};

char kind_for(int bits) {
  return bits <= 16 ? 'h' : bits == 32 ? 'w' : 'd';
}
int register_bits(char kind) {
  return kind == 'h' ? 16 : kind == 'w' ? 32 : 64;
}

long double value_of(u64 bits, const Type &type) {
  if (type.real) return decode(bits, *type.format);
  const u64 low = type.bits == 64 ? bits : bits & ((u64{1} << type.bits) - 1);
  if (!type.sign) return static_cast<long double>(low);
  const u64 top = u64{1} << (type.bits - 1);
  return low & top ? static_cast<long double>(low - top) - std::ldexp(1.0L, type.bits - 1)
                   : static_cast<long double>(low);
}
/// An integer in a register of that width: cut to the type, extended.
u64 integer_bits(i128 value, const Type &type, int width) {
  u64 bits = static_cast<u64>(value);
  if (type.bits < 64) {
    bits &= (u64{1} << type.bits) - 1;
    if (type.sign && bits >> (type.bits - 1)) bits |= ~u64{0} << type.bits;
  }
  return width == 64 ? bits : bits & ((u64{1} << width) - 1);
}
u64 clamped_bits(long double value, const Type &to, int from_bits, bool nan_is_zero, int width) {
  const long double most = to.sign ? std::ldexp(1.0L, to.bits - 1) - 1 : std::ldexp(1.0L, to.bits) - 1;
  const long double least = to.sign ? -std::ldexp(1.0L, to.bits - 1) : 0;
  if (std::isnan(value)) {
    const bool zero = nan_is_zero && to.bits != 64 && from_bits != 64;
    return zero ? 0 : integer_bits(i128{1} << (to.bits - 1), to, width);
  }
  return integer_bits(static_cast<i128>(std::max(least, std::min(most, value))), to, width);
}

bool subnormal_f32(long double value) {
  return value != 0 && std::abs(value) < 0x1p-126L;
}

struct How {
  std::string words;
  Mode mode = Mode::nearest;
  bool whole = false, flush = false, saturate = false;
};

u64 converted(u64 bits, const Type &to, const Type &from, const How &how, int width) {
  long double value = value_of(bits, from);
  const bool f32_from = from.format == &kF32, f32_to = to.format == &kF32;
  if (how.flush && f32_from && subnormal_f32(value)) value = std::copysign(0.0L, value);
  if (how.whole && std::isfinite(value)) value = std::copysign(rounded_to_integer(value, how.mode), value);
  if (!to.real) {
    if (from.real || how.saturate) return clamped_bits(value, to, from.bits, true, width);
    return integer_bits(static_cast<i128>(value), to, width);
  }
  if (how.saturate) value = std::isnan(value) || value <= 0 ? 0 : std::min(value, 1.0L);
  if (std::isnan(value) && from.format == &kBf16 && f32_to && !how.flush) return bits << 16;
  if (how.flush && f32_to && is_tiny(value, kF32, how.mode)) value = std::copysign(0.0L, value);
  u64 r = encode(value, *to.format, how.mode);
  if (how.flush && f32_to && (r & 0x7f800000) == 0) r &= 0x80000000;
  return r;
}

Form conversion(const Type &to, const Type &from, const How &how, char to_kind, char from_kind) {
  Form each;
  each.family = "convert";
  const std::string opcode = "cvt" + how.words + "." + to.name + "." + from.name;
  each.name = opcode;
  const int width = register_bits(to_kind);
  if (to_kind != kind_for(to.bits)) each.name += " to " + std::to_string(width);
  if (from_kind != kind_for(from.bits)) each.name += " from " + std::to_string(register_bits(from_kind));
  each.text = opcode + " %d0, %a0;";
  each.operands = {{from_kind, from_kind == kind_for(from.bits) ? from.values : Values::integer}};
  each.results = {{to_kind}};
  Tolerance tolerance;
  if (to.format == &kF16) tolerance.format = Tolerance::Format::f16;
  if (to.format == &kBf16) tolerance.format = Tolerance::Format::bf16;
  if (to.format == &kF32) tolerance.format = Tolerance::Format::f32;
  if (to.format == &kF64) tolerance = {Tolerance::Format::f64, true};
  tolerance.any_nan |= from.format == &kF64;
  each.tolerances = {tolerance};
  each.lane = [to, from, how, width](const Row &a, Row &d) { d[0] = converted(a[0], to, from, how, width); };
  return each;
}

void add(std::vector<Form> &all, const Type &to, const Type &from, const How &how) {
  all.push_back(conversion(to, from, how, kind_for(to.bits), kind_for(from.bits)));
}

constexpr struct {
  const char *word;
  Mode mode;
} kModes[] = {{"rn", Mode::nearest}, {"rz", Mode::zero}, {"rm", Mode::down}, {"rp", Mode::up}};

/// Some values of `from` are beyond `to`: PTX has .sat only then.
bool narrows(const Type &to, const Type &from) {
  return to.bits < from.bits || (to.bits == from.bits && to.sign != from.sign) || (from.sign && !to.sign);
}
bool exists(const Type &to, const Type &from) {
  const bool bf16 = to.format == &kBf16 || from.format == &kBf16;
  return !(bf16 && (to.bits == 8 || from.bits == 8));
}

void integers(std::vector<Form> &all) {
  for (const Type &to : kTypes) {
    for (const Type &from : kTypes) {
      if (to.real || from.real || &to == &from) continue;
      add(all, to, from, {""});
      if (narrows(to, from)) add(all, to, from, {".sat", Mode::nearest, false, false, true});
      // Registers may be wider than their types.
      if (to.bits < 32) all.push_back(conversion(to, from, {""}, 'w', kind_for(from.bits)));
      if (from.bits < 32) all.push_back(conversion(to, from, {""}, kind_for(to.bits), 'w'));
      if (from.bits < 64 && to.bits < 64) all.push_back(conversion(to, from, {""}, 'd', 'd'));
    }
  }
}

void integer_to_real(std::vector<Form> &all) {
  for (const Type &to : kTypes) {
    for (const Type &from : kTypes) {
      if (!to.real || from.real || !exists(to, from)) continue;
      for (const auto &mode : kModes) {
        add(all, to, from, {std::string(".") + mode.word, mode.mode});
        if (to.bits == 32)
          add(all, to, from, {std::string(".") + mode.word + ".sat", mode.mode, false, false, true});
      }
    }
  }
}

void real_to_integer(std::vector<Form> &all) {
  for (const Type &to : kTypes) {
    for (const Type &from : kTypes) {
      if (to.real || !from.real || !exists(to, from)) continue;
      for (const auto &mode : kModes) {
        add(all, to, from, {std::string(".") + mode.word + "i", mode.mode, true});
        if (from.bits == 32)
          add(all, to, from, {std::string(".") + mode.word + "i.ftz", mode.mode, true, true});
        if (from.bits == 32 && to.bits == 32)
          add(all, to, from, {std::string(".") + mode.word + "i.sat", mode.mode, true, false, true});
      }
    }
  }
}

void real_to_real(std::vector<Form> &all) {
  for (const Type &to : kTypes) {
    for (const Type &from : kTypes) {
      if (!to.real || !from.real) continue;
      const bool same = to.bits == from.bits && to.format == from.format;
      const bool smaller = to.bits < from.bits, bf16 = to.format == &kBf16 || from.format == &kBf16;
      const bool f32 = to.bits == 32 || from.bits == 32;
      for (const auto &mode : kModes) {
        const std::string word = std::string(".") + mode.word;
        if (same && !bf16) add(all, to, from, {word + "i", mode.mode, true});
        if (same && to.bits == 32) add(all, to, from, {word + "i.ftz", mode.mode, true, true});
        if (same && to.bits == 32) add(all, to, from, {word + "i.sat", mode.mode, true, false, true});
        if (smaller) add(all, to, from, {word, mode.mode});
        if (smaller && to.bits == 32) add(all, to, from, {word + ".ftz", mode.mode, false, true});
        if (smaller && to.bits == 32) add(all, to, from, {word + ".sat", mode.mode, false, false, true});
      }
      if (!same && !smaller && to.bits > from.bits) add(all, to, from, {""});
      if (!smaller && !same && f32 && to.bits > from.bits)
        add(all, to, from, {".ftz", Mode::nearest, false, true});
      if (same && !bf16) add(all, to, from, {".sat", Mode::nearest, false, false, true});
      if (same && to.bits == 32) add(all, to, from, {".ftz", Mode::nearest, false, true});
      if (same && to.bits == 32) add(all, to, from, {".ftz.sat", Mode::nearest, false, true, true});
    }
  }
}

/// Narrow formats, one or two values at a time.
struct Narrow {
  const char *name;
  const Real *format;
  int lane_bits;
  const char *architecture;
};

u64 encoded(u64 f32_bits, const Real &real, Mode mode, bool relu, bool finite) {
  long double value = decode(f32_bits, kF32);
  if (relu && (value < 0 || (value == 0 && std::signbit(value)))) value = 0;
  return encode(value, real, mode, finite);
}

Form from_two_f32(const std::string &words, const Narrow &to, Mode mode, bool relu, bool finite) {
  Form each =
      form("convert", "cvt" + words + "." + to.name + "x2.f32", [](float, float) -> u32 { return 0; });
  each.results = {{to.lane_bits == 16 ? 'w' : 'h'}};
  each.architecture = to.architecture;
  each.lane = [=](const Row &a, Row &d) {
    d[0] = encoded(a[0], *to.format, mode, relu, finite) << to.lane_bits |
           encoded(a[1], *to.format, mode, relu, finite);
  };
  return each;
}

void packed(std::vector<Form> &all) {
  for (const Narrow &to : {Narrow{"f16", &kF16, 16, "90"}, Narrow{"bf16", &kBf16, 16, "90"}}) {
    for (const Mode mode : {Mode::nearest, Mode::zero}) {
      for (const bool relu : {false, true}) {
        const std::string words = std::string(mode == Mode::zero ? ".rz" : ".rn") + (relu ? ".relu" : "");
        all.push_back(from_two_f32(words, to, mode, relu, false));
        Form one = form("convert", "cvt" + words + "." + to.name + ".f32", [](float) -> u16 { return 0; });
        one.lane = [=](const Row &a, Row &d) { d[0] = encoded(a[0], *to.format, mode, relu, false); };
        if (relu) all.push_back(one);
      }
    }
  }
  for (const Narrow &to : {Narrow{"e4m3", &kE4m3, 8, "90"}, Narrow{"e5m2", &kE5m2, 8, "90"},
                           Narrow{"e2m3", &kE2m3, 8, "100a"}, Narrow{"e3m2", &kE3m2, 8, "100a"}}) {
    for (const bool relu : {false, true}) {
      const std::string words = std::string(".rn.satfinite") + (relu ? ".relu" : "");
      all.push_back(from_two_f32(words, to, Mode::nearest, relu, true));
      if (to.lane_bits == 8 && to.architecture[0] == '9') {
        Form halves =
            form("convert", "cvt" + words + "." + to.name + "x2.f16x2", [](u32) -> u16 { return 0; });
        halves.operands = {{'w', Values::f16x2}};
        halves.lane = [=](const Row &a, Row &d) {
          d[0] = 0;
          for (int half = 0; half < 2; ++half) {
            const u64 f32 = encode(decode(a[0] >> 16 * half & 0xffff, kF16), kF32);
            d[0] |= encoded(f32, *to.format, Mode::nearest, relu, true) << 8 * half;
          }
        };
        all.push_back(halves);
      }
      Form back = form("convert", std::string("cvt.rn") + (relu ? ".relu" : "") + ".f16x2." + to.name + "x2",
                       [](u16) -> u32 { return 0; });
      back.tolerances = {{Tolerance::Format::f16x2}};
      back.architecture = to.architecture;
      back.lane = [=](const Row &a, Row &d) {
        d[0] = 0;
        for (int half = 0; half < 2; ++half) {
          long double value = decode(a[0] >> 8 * half & ((u64{1} << to.format->bits) - 1), *to.format);
          if (relu && std::signbit(value) && !std::isnan(value)) value = 0;
          d[0] |= encode(value, kF16) << 16 * half;
        }
      };
      all.push_back(back);
    }
  }
}

void tf32(std::vector<Form> &all) {
  struct Named {
    const char *words;
    Mode mode;
    bool relu, finite;
    const char *architecture;
  };
  for (const Named &each :
       {Named{"rna", Mode::away, false, false, "90"}, Named{"rn", Mode::nearest, false, false, "90"},
        Named{"rz", Mode::zero, false, false, "90"}, Named{"rn.relu", Mode::nearest, true, false, "90"},
        Named{"rz.relu", Mode::zero, true, false, "90"},
        Named{"rn.satfinite", Mode::nearest, false, true, "100"},
        Named{"rna.satfinite", Mode::away, false, true, "90"}}) {
    Form one =
        form("convert", std::string("cvt.") + each.words + ".tf32.f32", [](float) -> u32 { return 0; });
    one.tolerances = {{Tolerance::Format::f32, true}};
    one.architecture = each.architecture;
    one.lane = [=](const Row &a, Row &d) {
      // Ties away: of NaN, only the bits that stay count; without any, it is taken for infinity.
      const bool special = each.mode == Mode::away && (a[0] & 0x7f800000) == 0x7f800000;
      d[0] = encoded(special ? a[0] & 0xffffe000 : a[0], kTf32, each.mode, each.relu, each.finite);
    };
    all.push_back(one);
  }
}

/// cvt.pack: saturated fields side by side.
void fields(std::vector<Form> &all) {
  for (const int bits : {2, 4, 8, 16}) {
    for (const bool sign : {false, true}) {
      const std::string type = (sign ? "s" : "u") + std::to_string(bits);
      const auto field = [bits, sign](i32 value) -> u32 {
        const i64 count = i64{1} << bits, most = sign ? count / 2 - 1 : count - 1,
                  least = sign ? -count / 2 : 0;
        const i64 limited = std::max(least, std::min<i64>(most, value));
        return static_cast<u32>(limited < 0 ? limited + count : limited);
      };
      if (bits == 16)
        all.push_back(form("convert", "cvt.pack.sat." + type + ".s32",
                           [=](i32 a, i32 b) -> u32 { return field(a) * 65536 + field(b); }));
      else
        all.push_back(form("convert", "cvt.pack.sat." + type + ".s32.b32", [=](i32 a, i32 b, u32 c) -> u32 {
          return static_cast<u32>((u64{c} << 2 * bits) + (field(a) << bits) + field(b));
        }));
    }
  }
}

}  // namespace

std::vector<Form> convert_forms() {
  std::vector<Form> all;
  integers(all);
  integer_to_real(all);
  real_to_integer(all);
  real_to_real(all);
  packed(all);
  tf32(all);
  fields(all);
  return all;
}

}  // namespace cupilot::opcodes
