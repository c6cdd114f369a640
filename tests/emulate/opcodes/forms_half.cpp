// SPDX-License-Identifier: Apache-2.0
//
// f16 and bf16 arithmetic: references in double, rounded to odd by the processor's flags, then once by
// arithmetic.

#include <cmath>

#include "tests/emulate/opcodes/build.h"
#include "tests/emulate/opcodes/reference.h"

namespace cupilot::opcodes {
namespace {

struct HalfType {
  const char *name;
  const Real *real;
  Values one, two;
  Tolerance::Format format_one, format_two;
};
const HalfType kHalfTypes[] = {
    {"f16", &kF16, Values::f16, Values::f16x2, Tolerance::Format::f16, Tolerance::Format::f16x2},
    {"bf16", &kBf16, Values::bf16, Values::bf16x2, Tolerance::Format::bf16, Tolerance::Format::bf16x2},
};

struct Modifiers {
  bool flush = false, saturate = false, relu = false;
};
using Function = std::function<long double(double, double, double)>;

double flushed(double a, const Real &real, bool flush) {
  return flush && std::abs(a) < std::ldexp(1.0, 1 - real.bias) ? std::copysign(0.0, a) : a;
}

u64 one_value(const Function &f, const Real &real, Modifiers how, const u64 *bits, int operands) {
  double in[3] = {};
  for (int i = 0; i < operands; ++i)
    in[i] = flushed(static_cast<double>(decode(bits[i], real)), real, how.flush);
  long double r = f(in[0], in[1], in[2]);
  if (how.relu && r <= 0) r = 0;
  if (how.saturate) r = std::isnan(r) || r <= 0 ? 0 : std::min(r, 1.0L);
  if (how.flush && is_tiny(r, real)) r = std::copysign(0.0L, r);
  const u64 rounded = encode(r, real);
  return encode(flushed(static_cast<double>(decode(rounded, real)), real, how.flush), real);
}

/// The scalar and the packed form.
void both(std::vector<Form> &all, const std::string &words, const HalfType &type, int operands, Modifiers how,
          const Function &f, double ulps = 0, bool any_nan = false) {
  for (const bool packed : {false, true}) {
    Form each;
    each.family = "half";
    each.name = words + "." + type.name + (packed ? "x2" : "");
    each.text = each.name + operand_list(static_cast<std::size_t>(operands));
    const Slot slot{packed ? 'w' : 'h', packed ? type.two : type.one};
    each.operands.assign(static_cast<std::size_t>(operands), slot);
    each.results = {slot};
    each.tolerances = {{packed ? type.format_two : type.format_one, any_nan, ulps}};
    each.lane = [=, real = type.real](const Row &a, Row &d) {
      d[0] = 0;
      for (int half = 0; half < (packed ? 2 : 1); ++half) {
        u64 bits[3] = {};
        for (int i = 0; i < operands; ++i) bits[i] = a[static_cast<std::size_t>(i)] >> 16 * half & 0xffff;
        d[0] |= one_value(f, *real, how, bits, operands) << 16 * half;
      }
    };
    all.push_back(each);
  }
}

void arithmetic(std::vector<Form> &all, const HalfType &type) {
  const bool brain = type.real == &kBf16;
  struct Named {
    const char *name;
    int operands;
    Function f;
  };
  // Sums and products as fused operations, so that one helper keeps the sticky bit.
  const Named operations[] = {
      {"add", 2, [](double a, double b, double) { return fused_to_odd(a, 1, b); }},
      {"sub", 2, [](double a, double b, double) { return fused_to_odd(b, -1, a); }},
      {"mul", 2,
       [](double a, double b, double) { return static_cast<double>(static_cast<long double>(a) * b); }},
      {"fma", 3, [](double a, double b, double c) { return fused_to_odd(a, b, c); }},
  };
  for (const Named &operation : operations) {
    const bool fused = operation.operands == 3;
    for (const bool flush : {false, true}) {
      for (const bool saturate : {false, true}) {
        if (brain && (flush || saturate)) continue;
        const std::string words = std::string(flush ? ".ftz" : "") + (saturate ? ".sat" : "");
        if (!fused && !flush && !saturate)
          both(all, operation.name, type, operation.operands, {}, operation.f);
        both(all, std::string(operation.name) + ".rn" + words, type, operation.operands,
             {flush, saturate, false}, operation.f);
      }
      if (fused && !(brain && flush))
        both(all, std::string("fma.rn") + (flush ? ".ftz" : "") + ".relu", type, 3, {flush, false, true},
             operation.f);
    }
  }
}

double extreme(double a, double b, bool largest, bool nan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (nan || (std::isnan(a) && std::isnan(b))) return NAN;
    return std::isnan(a) ? b : a;
  }
  if (a == b) return std::signbit(a) == largest ? b : a;
  return (a < b) == largest ? b : a;
}

void extremes(std::vector<Form> &all, const HalfType &type) {
  const bool brain = type.real == &kBf16;
  for (const bool largest : {false, true}) {
    for (const bool flush : {false, true}) {
      for (const bool nan : {false, true}) {
        if (brain && flush) continue;
        const std::string words =
            std::string(largest ? "max" : "min") + (flush ? ".ftz" : "") + (nan ? ".NaN" : "");
        both(all, words, type, 2, {flush, false, false},
             [=](double a, double b, double) { return extreme(a, b, largest, nan); });
        both(all, words + ".xorsign.abs", type, 2, {flush, false, false}, [=](double a, double b, double) {
          const double r = extreme(std::abs(a), std::abs(b), largest, nan);
          return std::signbit(a) != std::signbit(b) ? -r : r;
        });
      }
    }
  }
}

void signs(std::vector<Form> &all, const HalfType &type) {
  for (const bool flush : {false, true}) {
    if (flush && type.real == &kBf16) continue;
    const std::string words = flush ? ".ftz" : "";
    both(
        all, "neg" + words, type, 1, {flush, false, false}, [](double a, double, double) { return -a; }, 0,
        true);
    both(
        all, "abs" + words, type, 1, {flush, false, false},
        [](double a, double, double) { return std::abs(a); }, 0, true);
  }
}

void approximations(std::vector<Form> &all, const HalfType &type) {
  const bool brain = type.real == &kBf16;
  both(
      all, brain ? "ex2.approx.ftz" : "ex2.approx", type, 1, {brain, false, false},
      [](double a, double, double) { return std::exp2(static_cast<long double>(a)); }, 2, true);
  both(
      all, "tanh.approx", type, 1, {},
      [](double a, double, double) { return std::tanh(static_cast<long double>(a)); }, brain ? 2 : 4, true);
}

bool compared(const std::string &name, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (name == "num") return !unordered;
  if (name == "nan") return unordered;
  if (unordered) return name.size() == 3;
  const std::string base = name.substr(0, 2);
  if (base == "eq") return a == b;
  if (base == "ne") return a != b;
  if (base == "lt") return a < b;
  if (base == "le") return a <= b;
  return base == "gt" ? a > b : a >= b;
}

void comparisons(std::vector<Form> &all, const HalfType &type) {
  for (const std::string name :
       {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}) {
    for (const bool flush : {false, true}) {
      if (flush && type.real == &kBf16) continue;
      const auto holds = [name, flush, real = type.real](u64 a, u64 b) {
        return compared(name, flushed(static_cast<double>(decode(a & 0xffff, *real)), *real, flush),
                        flushed(static_cast<double>(decode(b & 0xffff, *real)), *real, flush));
      };
      const std::string words = name + (flush ? ".ftz" : "");
      Form one = form("half", "setp." + words + "." + type.name, [](u16, u16) -> bool { return false; });
      one.operands = {{'h', type.one}, {'h', type.one}};
      one.lane = [holds](const Row &a, Row &d) { d[0] = holds(a[0], a[1]); };
      all.push_back(one);
      Form two =
          form("half", "setp." + words + "." + type.name + "x2", [](u32, u32) -> bool { return false; });
      two.operands = {{'w', type.two}, {'w', type.two}};
      two.text = two.name + " %d0|%d1, %a0, %a1;";
      two.results = {{'p', Values::truth}, {'p', Values::truth}};
      two.tolerances.resize(2);
      two.lane = [holds](const Row &a, Row &d) {
        d[0] = holds(a[0], a[1]);
        d[1] = holds(a[0] >> 16, a[1] >> 16);
      };
      all.push_back(two);
      Form word = form("half", "set." + words + ".u32." + type.name, [](u16, u16) -> u32 { return 0; });
      word.operands = one.operands;
      word.lane = [holds](const Row &a, Row &d) { d[0] = holds(a[0], a[1]) ? 0xffffffff : 0; };
      all.push_back(word);
      Form half =
          form("half", "set." + words + "." + type.name + "." + type.name, [](u16, u16) -> u16 { return 0; });
      half.operands = one.operands;
      half.lane = [holds, real = type.real](const Row &a, Row &d) {
        d[0] = holds(a[0], a[1]) ? encode(1, *real) : 0;
      };
      all.push_back(half);
      Form packed = form("half", "set." + words + "." + type.name + "x2." + type.name + "x2",
                         [](u32, u32) -> u32 { return 0; });
      packed.operands = two.operands;
      packed.lane = [holds, real = type.real](const Row &a, Row &d) {
        const u64 yes = encode(1, *real);
        d[0] = (holds(a[0], a[1]) ? yes : 0) | (holds(a[0] >> 16, a[1] >> 16) ? yes << 16 : 0);
      };
      all.push_back(packed);
    }
  }
}

}  // namespace

std::vector<Form> half_forms() {
  std::vector<Form> all;
  for (const HalfType &type : kHalfTypes) {
    arithmetic(all, type);
    extremes(all, type);
    signs(all, type);
    approximations(all, type);
    comparisons(all, type);
  }
  return all;
}

}  // namespace cupilot::opcodes
