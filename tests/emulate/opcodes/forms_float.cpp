// SPDX-License-Identifier: Apache-2.0
//
// f32 and f64 arithmetic: the processor computes the reference in the rounding mode named.

#include <cmath>

#include "tests/emulate/opcodes/build.h"
#include "tests/emulate/opcodes/reference.h"

namespace cupilot::opcodes {
namespace {

struct RoundingWord {
  const char *word;
  Mode mode;
};
constexpr RoundingWord kRoundings[] = {
    {"", Mode::nearest}, {".rn", Mode::nearest}, {".rz", Mode::zero}, {".rm", Mode::down}, {".rp", Mode::up}};

template <class T>
T flushed(T a, bool flush) {
  return flush && std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(T{0}, a) : a;
}
template <class T>
T finished(T a, bool flush, bool saturate) {
  a = flushed(a, flush);
  if (saturate) return std::isnan(a) || a <= 0 ? T{0} : a >= 1 ? T{1} : a;
  if (sizeof(T) == 4 && std::isnan(a)) return std::bit_cast<float>(0x7fffffff);
  return a;
}

enum class Operation { add, sub, mul, div, fma, rcp, sqrt };
template <class T>
T computed(Operation operation, T x, T y, T z, Mode mode) {
  const volatile T a = x, b = y, c = z;
  const Rounding rounding(mode);
  volatile T r = 0;
  switch (operation) {
    case Operation::add:
      r = a + b;
      break;
    case Operation::sub:
      r = a - b;
      break;
    case Operation::mul:
      r = a * b;
      break;
    case Operation::div:
      r = a / b;
      break;
    case Operation::fma:
      r = std::fma(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c));
      break;
    case Operation::rcp:
      r = T{1} / a;
      break;
    case Operation::sqrt:
      r = std::sqrt(static_cast<T>(a));
      break;
  }
  return r;
}

/// The exact value, or one that rounds like it.
long double exact(Operation operation, float a, float b, float c) {
  switch (operation) {
    case Operation::add:
      return static_cast<long double>(a) + b;
    case Operation::sub:
      return static_cast<long double>(a) - b;
    case Operation::mul:
      return static_cast<long double>(a) * b;
    case Operation::div:
      return static_cast<long double>(a) / b;
    case Operation::fma:
      return fused_to_odd(a, b, c);
    case Operation::rcp:
      return 1 / static_cast<long double>(a);
    case Operation::sqrt:
      return std::sqrt(static_cast<long double>(a));
  }
  return 0;
}

template <class T>
Form arithmetic(const std::string &name, Operation operation, int operands, Mode mode, bool flush,
                bool saturate) {
  const auto f = [=](T x, T y, T z) {
    const T a = flushed(x, flush), b = flushed(y, flush), c = flushed(z, flush);
    T r = computed<T>(operation, a, b, c, mode);
    if (flush &&
        is_tiny(exact(operation, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)), kF32,
                mode))
      r = std::copysign(T{0}, r);
    return finished(r, flush, saturate);
  };
  if (operands == 1) return form("float", name, [f](T a) -> T { return f(a, 0, 0); });
  if (operands == 2) return form("float", name, [f](T a, T b) -> T { return f(a, b, 0); });
  return form("float", name, [f](T a, T b, T c) -> T { return f(a, b, c); });
}

void rounded(std::vector<Form> &all, const std::string &name, Operation operation, int operands,
             bool saturates) {
  for (const RoundingWord &mode : kRoundings) {
    const bool unsaid = mode.word[0] == 0;
    if (unsaid && (operation == Operation::fma || !saturates)) continue;
    for (const bool flush : {false, true}) {
      for (const bool saturate : {false, true}) {
        if (saturate && !saturates) continue;
        all.push_back(
            arithmetic<float>(name + mode.word + (flush ? ".ftz" : "") + (saturate ? ".sat" : "") + ".f32",
                              operation, operands, mode.mode, flush, saturate));
      }
    }
    all.push_back(
        arithmetic<double>(name + mode.word + ".f64", operation, operands, mode.mode, false, false));
  }
}

/// IEEE 754-2019's minimum and maximum: -0 < +0; NaN loses, or wins with .NaN.
template <class T>
T extreme(T a, T b, bool largest, bool nan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (nan || (std::isnan(a) && std::isnan(b))) return static_cast<T>(NAN);
    return std::isnan(a) ? b : a;
  }
  if (a == b) return std::signbit(a) == largest ? b : a;
  return (a < b) == largest ? b : a;
}

void extremes(std::vector<Form> &all) {
  for (const bool largest : {false, true}) {
    const std::string name = largest ? "max" : "min";
    all.push_back(form("float", name + ".f64",
                       [largest](double a, double b) { return extreme(a, b, largest, false); }));
    for (const bool flush : {false, true}) {
      for (const bool nan : {false, true}) {
        const std::string words = std::string(flush ? ".ftz" : "") + (nan ? ".NaN" : "");
        const auto f = [=](float a, float b) {
          return finished(extreme(flushed(a, flush), flushed(b, flush), largest, nan), false, false);
        };
        all.push_back(form("float", name + words + ".f32", f));
        all.push_back(form("float", name + words + ".xorsign.abs.f32", [f](float a, float b) -> float {
          const float r = f(std::abs(a), std::abs(b));
          return std::isnan(r) ? r : std::signbit(a) != std::signbit(b) ? -r : r;
        }));
        all.push_back(on("100", form("float", name + words + ".f32 three",
                                     [f](float a, float b, float c) { return f(f(a, b), c); })));
        all.back().text = name + words + ".f32 %d0, %a0, %a1, %a2;";
      }
    }
  }
}

void signs(std::vector<Form> &all) {
  for (const bool flush : {false, true}) {
    const std::string words = flush ? ".ftz.f32" : ".f32";
    all.push_back(any_nan(form("float", "neg" + words, [flush](float a) {
      return std::copysign(flushed(a, flush), std::signbit(a) ? 1.0F : -1.0F);
    })));
    all.push_back(any_nan(
        form("float", "abs" + words, [flush](float a) { return std::copysign(flushed(a, flush), 1.0F); })));
  }
  all.push_back(
      form("float", "neg.f64", [](double a) { return std::copysign(a, std::signbit(a) ? 1.0 : -1.0); }));
  all.push_back(form("float", "abs.f64", [](double a) { return std::copysign(a, 1.0); }));
  all.push_back(any_nan(form("float", "copysign.f32", [](float a, float b) { return std::copysign(b, a); })));
  all.push_back(
      any_nan(form("float", "copysign.f64", [](double a, double b) { return std::copysign(b, a); })));
}

/// Two f32 a register.
Form pairwise(const std::string &name, Operation operation, int operands, bool flush) {
  Form each = arithmetic<double>(name, operation, operands, Mode::nearest, false, false);
  for (Slot &slot : each.operands) slot.values = Values::f32x2;
  each.tolerances = {{Tolerance::Format::f32x2}};
  each.architecture = "100";
  each.lane = [=](const Row &a, Row &d) {
    d[0] = 0;
    for (int half = 0; half < 2; ++half) {
      float in[3] = {};
      for (int i = 0; i < operands; ++i)
        in[i] = flushed(std::bit_cast<float>(static_cast<u32>(a[static_cast<std::size_t>(i)] >> 32 * half)),
                        flush);
      float r = computed<float>(operation, in[0], in[1], in[2], Mode::nearest);
      if (flush && is_tiny(exact(operation, in[0], in[1], in[2]), kF32)) r = std::copysign(0.0F, r);
      r = finished(r, flush, false);
      d[0] |= static_cast<u64>(std::bit_cast<u32>(r)) << 32 * half;
    }
  };
  return each;
}

}  // namespace

std::vector<Form> float_forms() {
  std::vector<Form> all;
  rounded(all, "add", Operation::add, 2, true);
  rounded(all, "sub", Operation::sub, 2, true);
  rounded(all, "mul", Operation::mul, 2, true);
  rounded(all, "fma", Operation::fma, 3, true);
  rounded(all, "mad", Operation::fma, 3, true);
  rounded(all, "div", Operation::div, 2, false);
  rounded(all, "rcp", Operation::rcp, 1, false);
  rounded(all, "sqrt", Operation::sqrt, 1, false);
  std::erase_if(all, [](const Form &each) {
    return each.name.starts_with("mad.") && each.name.find(".r") == std::string::npos;
  });
  extremes(all);
  signs(all);
  for (const bool flush : {false, true}) {
    const std::string words = std::string(".rn") + (flush ? ".ftz" : "") + ".f32x2";
    all.push_back(pairwise("add" + words, Operation::add, 2, flush));
    all.push_back(pairwise("mul" + words, Operation::mul, 2, flush));
    all.push_back(pairwise("fma" + words, Operation::fma, 3, flush));
  }
  return all;
}

}  // namespace cupilot::opcodes
