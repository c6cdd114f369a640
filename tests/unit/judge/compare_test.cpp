// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/correct/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "annotate/support/half.h"
#include "evolution/judge/data/element_type.h"
#include "special_floats.h"

namespace cupilot {
using namespace judge::correct;
using namespace judge::data;
using namespace spec;
namespace {

template <class T>
CompareResult compare(ElementType type, const std::vector<T> &expected, const std::vector<T> &got) {
  return compare_output(type, std::as_bytes(std::span(expected)), std::as_bytes(std::span(got)));
}

std::vector<float> normal_values(std::size_t n) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float &value : values) value = normal(random);
  return values;
}

TEST(Compare, EqualIsOk) {
  const auto values = normal_values(1000);
  EXPECT_TRUE(compare(ElementType::f32, values, values).ok);
}

TEST(Compare, OtherOrderOfASumIsOk) {
  const auto values = normal_values(4096 * 16);
  std::vector<float> forward(16), backward(16);
  for (int row = 0; row < 16; ++row)
    for (int i = 0; i < 4096; ++i) {
      forward[row] += values[row * 4096 + i];
      backward[row] += values[row * 4096 + 4095 - i];
    }
  const auto result = compare(ElementType::f32, forward, backward);
  EXPECT_TRUE(result.ok) << result.reason;
}

TEST(Compare, NumbersWhoseSquaresAreNoneAreCompared) {
  const std::vector<double> expected{1e200, -2e300, 3};
  std::vector<double> got{1e200 * (1 + 4e-16), -2e300, 3};
  const auto right = compare(ElementType::f64, expected, got);
  EXPECT_TRUE(right.ok) << right.reason;
  EXPECT_LT(right.error.rms, 1e-15);
  got[1] = -2.1e300;
  const auto wrong = compare(ElementType::f64, expected, got);
  EXPECT_FALSE(wrong.ok);
  EXPECT_EQ(wrong.wrong, 1u) << wrong.reason;
}

TEST(Compare, HalfArithmeticInsideFloatIsWrong) {
  const auto expected = normal_values(10000);
  auto got = expected;
  for (float &value : got) value = float_from_f16(f16_from_float(value));
  const auto result = compare(ElementType::f32, expected, got);
  EXPECT_FALSE(result.ok);
  EXPECT_GT(result.error.rms, result.error.rms_limit);
}

TEST(Compare, OneRoundingToTf32IsWrong) {
  const auto expected = normal_values(10000);
  auto got = expected;
  for (float &value : got) value = float_from_bits((float_bits(value) + 0x1000u) & ~0x1fffu);
  const auto result = compare(ElementType::f32, expected, got);
  EXPECT_FALSE(result.ok);
  EXPECT_GT(result.error.rms, 4 * result.error.rms_limit) << "a margin to the limit";
}

TEST(Compare, StructuredDataAllowsWhatEqualTermsLose) {
  // The serial sum of 4096 equal terms rounds the same way every time.
  std::vector<float> serial(16), exact(16);
  for (int row = 0; row < 16; ++row) {
    for (int i = 0; i < 4096; ++i) serial[row] += 0.36787944f + 0.001f * static_cast<float>(row);
    exact[row] = 4096 * (0.36787944f + 0.001f * static_cast<float>(row));
  }
  const auto bytes = [](const std::vector<float> &v) { return std::as_bytes(std::span(v)); };
  EXPECT_FALSE(compare_output(ElementType::f32, bytes(exact), bytes(serial)).ok);
  EXPECT_TRUE(compare_output(ElementType::f32, bytes(exact), bytes(serial), {.structured = true}).ok);
}

TEST(Compare, ConsistentSmallErrorFailsByRms) {
  const auto expected = normal_values(10000);
  auto got = expected;
  for (float &value : got) value *= 1 + 400 * static_cast<float>(kEpsF32);
  const auto result = compare(ElementType::f32, expected, got);
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_FALSE(result.ok);
  EXPECT_NE(result.reason.find("root mean square"), std::string::npos);
}

TEST(Compare, NamesTheWorstElement) {
  auto expected = normal_values(2'000'000);
  auto got = expected;
  got[1'234'567] += 3;
  const auto result = compare(ElementType::f32, expected, got);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.error.worst_index, 1'234'567u);
  EXPECT_EQ(result.wrong, 1u);
}

TEST(Compare, NanAndInfinityCompareByClass) {
  const std::vector<float> expected{kNan, kInfinity, -kInfinity, 1};
  EXPECT_TRUE(compare(ElementType::f32, expected, {-kNan, kInfinity, -kInfinity, 1}).ok);
  EXPECT_FALSE(compare(ElementType::f32, expected, {0, kInfinity, -kInfinity, 1}).ok);
  EXPECT_FALSE(compare(ElementType::f32, expected, {kNan, -kInfinity, -kInfinity, 1}).ok);
  const auto unwritten = compare(ElementType::f32, expected, {kNan, kInfinity, -kInfinity, kNan});
  EXPECT_FALSE(unwritten.ok);
  EXPECT_EQ(unwritten.missing, 1u);
}

TEST(Compare, ZerosMustBeZeros) {
  const std::vector<float> zeros(8), dust(8, 1e-30f);
  EXPECT_TRUE(compare(ElementType::f32, zeros, zeros).ok);
  EXPECT_FALSE(compare(ElementType::f32, zeros, dust).ok);
}

// docs/judge.md: the sign of a zero does not count.
TEST(Compare, ZeroHasNoSign) {
  EXPECT_TRUE(compare(ElementType::f32, std::vector<float>{0.0f, -0.0f, 1}, {-0.0f, 0.0f, 1}).ok);
  EXPECT_TRUE(compare(ElementType::f32, std::vector<float>{0.0f, 0.0f}, {-0.0f, -0.0f}).ok);
  EXPECT_TRUE(compare(ElementType::f16, std::vector<std::uint16_t>{0x8000, 0x3c00}, {0x0000, 0x3c00}).ok);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(compare(ElementType::f32, std::vector<float>{infinity, 1}, {-infinity, 1}).ok)
      << "what is divided by it has one";
}

TEST(Compare, IntegersMustBeEqual) {
  const std::vector<std::int32_t> expected{1, 2, 3};
  EXPECT_TRUE(compare(ElementType::i32, expected, expected).ok);
  const auto result = compare(ElementType::i32, expected, {1, 2, 4});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.error.worst_index, 2u);
  EXPECT_EQ(result.error.got, 4);
}

TEST(Compare, WhereInputsDecideNoDigitAnyNumberIsRight) {
  EXPECT_EQ(without_digits({0.001, 2}).max, 2);
  EXPECT_GT(
      same_precision_limits(ElementType::f32, {.structured = true, .spread = without_digits({0.1, 2})}).rms,
      1e9);
}

TEST(Compare, WhatIsMovedKeepsItsBits) {
  const auto bits = [](const std::vector<float> &expected, const std::vector<float> &got) {
    return compare_bits(ElementType::f32, std::as_bytes(std::span(expected)), std::as_bytes(std::span(got)));
  };
  const float other = float_from_bits(0xffffffffu);
  EXPECT_TRUE(bits({1, kNan, -0.0f}, {1, kNan, -0.0f}).ok);
  EXPECT_FALSE(bits({1, -0.0f}, {1, 0.0f}).ok);
  EXPECT_FALSE(bits({1e6f}, {std::nextafter(1e6f, 2e6f)}).ok);
  const auto nan = bits({1, kNan}, {1, other});
  EXPECT_FALSE(nan.ok);
  EXPECT_EQ(nan.error.worst_index, 1u);
  EXPECT_NE(nan.reason.find("bit by bit"), std::string::npos) << nan.reason;
}

TEST(Compare, OneStepOfHalfIsAllowed) {
  std::vector<std::uint16_t> expected(100), next(100), far(100);
  for (int i = 0; i < 100; ++i) {
    expected[i] = static_cast<std::uint16_t>(0x3c00 + i);
    next[i] = static_cast<std::uint16_t>(expected[i] + 1);
    far[i] = static_cast<std::uint16_t>(expected[i] + 40);
  }
  EXPECT_TRUE(compare(ElementType::f16, expected, next).ok);
  EXPECT_FALSE(compare(ElementType::f16, expected, far).ok);
}

TEST(CountNan, PoisonIsNotCounted) {
  const std::vector<std::uint8_t> pattern{0xb6, 0xff};
  std::vector<float> values(4, 1.0f);
  std::memset(&values[1], 0, sizeof(float));
  const std::uint32_t poison = 0xffb6ffb6u;
  std::memcpy(&values[2], &poison, sizeof poison);
  EXPECT_EQ(count_nan(ElementType::f32, std::as_bytes(std::span(values)), std::as_bytes(std::span(pattern))),
            0u);
  values[3] = kNan;
  EXPECT_EQ(count_nan(ElementType::f32, std::as_bytes(std::span(values)), std::as_bytes(std::span(pattern))),
            1u);
}

TEST(Half, EveryHalfSurvivesTheRoundTrip) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = float_from_f16(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(f16_from_float(value), bits);
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(f16_from_float(65519.0f), 0x7bff);
  EXPECT_EQ(f16_from_float(65520.0f), 0x7c00);
  EXPECT_EQ(f16_from_float(1.0f + 0x1p-11f), 0x3c00);
  EXPECT_EQ(f16_from_float(1.0f + 3 * 0x1p-11f), 0x3c02);
  EXPECT_EQ(f16_from_float(0x1p-25f), 0x0000);
  EXPECT_EQ(bf16_from_float(1.0f + 0x1p-8f), 0x3f80);
  EXPECT_EQ(bf16_from_float(1.0f + 3 * 0x1p-8f), 0x3f82);
}

}  // namespace
}  // namespace cupilot
