// SPDX-License-Identifier: Apache-2.0
//
// .approx instructions within the errors PTX documents (PTX ISA 9.7.3), exact at special values.

#include <cmath>
#include <numbers>

#include "tests/emulate/opcodes/build.h"

namespace cupilot::opcodes {
namespace {

float flushed(float a, bool flush) {
  return flush && std::fpclassify(a) == FP_SUBNORMAL ? std::copysign(0.0F, a) : a;
}

/// `f` in long double, on the flushed operand, flushed again.
template <class F>
void both(std::vector<Form> &all, const std::string &name, double ulps, double absolute, F f) {
  for (const bool flush : {false, true}) {
    Form each =
        form("approximate", name + ".approx" + (flush ? ".ftz" : "") + ".f32", [f, flush](float a) -> float {
          return flushed(static_cast<float>(f(static_cast<long double>(flushed(a, flush)))), flush);
        });
    each = near(each, ulps, absolute);
    each.tolerances[0].any_zero = true;
    all.push_back(each);
  }
}

void trigonometry(std::vector<Form> &all) {
  // The error is stated for one period only: the operand is brought there, sign and all.
  for (const bool cosine : {false, true}) {
    for (const bool flush : {false, true}) {
      const std::string name =
          std::string(cosine ? "cos" : "sin") + ".approx" + (flush ? ".ftz" : "") + ".f32";
      Form each = form("approximate", name, [cosine, flush](float a) -> float {
        const long double x = flushed(a, flush);
        return flushed(static_cast<float>(std::isinf(x) ? NAN : cosine ? std::cos(x) : std::sin(x)), flush);
      });
      each = near(with(each, {Values::finite_f32}), 0, 0x1p-18);
      each.declarations = "  .reg .f32 %x;\n  .reg .pred %large;\n";
      each.text =
          "abs.f32 %x, %a0; setp.gt.f32 %large, %x, 0f40490FDB; selp.f32 %x, 0f3F800000, %a0, %large; " +
          name + " %d0, %x;";
      const auto reference = each.lane;
      each.lane = [reference](const Row &a, Row &d) {
        Row in = a;
        if (std::abs(from_word<float>(a[0])) > std::bit_cast<float>(0x40490fdb)) in[0] = 0x3f800000;
        reference(in, d);
      };
      each.tolerances[0].any_zero = true;
      all.push_back(each);
    }
  }
}

void quotients(std::vector<Form> &all) {
  for (const bool flush : {false, true}) {
    const std::string words = std::string(flush ? ".ftz" : "") + ".f32";
    const auto full = [flush](float a, float b) -> float {
      return flushed(static_cast<float>(static_cast<long double>(flushed(a, flush)) / flushed(b, flush)),
                     flush);
    };
    Form whole = near(form("approximate", "div.full" + words, full), 2, 0x1p-126);
    whole.tolerances[0].any_zero = true;
    all.push_back(whole);
    Form approximate = near(form("approximate", "div.approx" + words,
                                 [full](float a, float b) -> float {
                                   const float size = std::abs(b);
                                   if (size > 0x1p126F && std::isfinite(size))
                                     return std::isinf(a) || std::isnan(a) ? NAN : 0.0F;
                                   return full(a, b);
                                 }),
                            2, 0x1p-126);
    approximate.tolerances[0].any_zero = true;
    all.push_back(approximate);
  }
}

double upper(double a) {
  const u64 bits = std::bit_cast<u64>(a) & 0xffffffff00000000;
  const double cut = std::bit_cast<double>(bits);
  return std::fpclassify(cut) == FP_SUBNORMAL ? std::copysign(0.0, cut) : cut;
}

}  // namespace

std::vector<Form> approximate_forms() {
  std::vector<Form> all;
  both(all, "rcp", 1, 0, [](long double a) { return 1 / a; });
  both(all, "sqrt", 4, 0, [](long double a) { return std::sqrt(a); });
  both(all, "rsqrt", 4, 0, [](long double a) { return 1 / std::sqrt(a); });
  both(all, "ex2", 4, 0, [](long double a) { return std::exp2(a); });
  both(all, "lg2", 4, 0x1p-22, [](long double a) { return std::log2(a); });
  all.push_back(near(form("approximate", "tanh.approx.f32",
                          [](float a) { return static_cast<float>(std::tanh(static_cast<long double>(a))); }),
                     8192));
  trigonometry(all);
  quotients(all);
  // Twenty bits of the significand count.
  const double gross = 0x1p33;
  all.push_back(
      near(form("approximate", "rcp.approx.ftz.f64", [](double a) { return upper(1 / upper(a)); }), gross));
  all.push_back(near(
      form("approximate", "rsqrt.approx.ftz.f64", [](double a) { return upper(1 / std::sqrt(upper(a))); }),
      gross));
  all.push_back(
      near(form("approximate", "rsqrt.approx.f64",
                [](double a) { return static_cast<double>(1 / std::sqrt(static_cast<long double>(a))); }),
           gross));
  return all;
}

}  // namespace cupilot::opcodes
