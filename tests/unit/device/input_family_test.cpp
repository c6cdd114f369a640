// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/input_family.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace cupilot {
namespace {

std::vector<double> values(const std::string &family, Fill fill, ElementType type, std::uint64_t count,
                           std::uint64_t seed = 1) {
  const auto rule = input_rule(family, fill, type, count, seed);
  EXPECT_TRUE(rule) << family;
  std::vector<double> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(input_value(*rule, i));
  return all;
}
double mean(const std::vector<double> &all) {
  double sum = 0;
  for (const double value : all) sum += value;
  return sum / static_cast<double>(all.size());
}
double deviation(const std::vector<double> &all) {
  const double middle = mean(all);
  double sum = 0;
  for (const double value : all) sum += (value - middle) * (value - middle);
  return std::sqrt(sum / static_cast<double>(all.size()));
}

TEST(InputFamily, FamiliesHaveTheirMoments) {
  EXPECT_NEAR(mean(values("normal", {}, ElementType::f32, 100000)), 0, 0.02);
  EXPECT_NEAR(deviation(values("normal", {}, ElementType::f32, 100000)), 1, 0.02);
  EXPECT_NEAR(deviation(values("scaled_down", {}, ElementType::f32, 100000)), 1e-3, 2e-5);
  EXPECT_NEAR(deviation(values("scaled_up", {}, ElementType::f32, 100000)), 64, 1.5);
  EXPECT_NEAR(mean(values("large_mean", {}, ElementType::f32, 100000)), 1000, 0.02);
}

TEST(InputFamily, SeedsGiveOtherData) {
  EXPECT_EQ(values("user", {}, ElementType::f32, 50, 3), values("user", {}, ElementType::f32, 50, 3));
  EXPECT_NE(values("user", {}, ElementType::f32, 50, 3), values("user", {}, ElementType::f32, 50, 4));
  EXPECT_NE(derived_seed(1, "x"), derived_seed(1, "y"));
}

TEST(InputFamily, FamiliesLeaveOtherFillsAlone) {
  const Fill ranged{FillKind::uniform, 2, 3, ""};
  for (const double value : values("scaled_up", ranged, ElementType::f32, 1000)) {
    EXPECT_GE(value, 2);
    EXPECT_LT(value, 3);
  }
  for (const double value : values("special", {}, ElementType::i32, 1000)) {
    EXPECT_GE(value, -100);
    EXPECT_LT(value, 100);
  }
  for (const double value : values("normal", {}, ElementType::u8, 1000)) EXPECT_GE(value, 0);
}

TEST(InputFamily, PermutationIsOne) {
  for (const std::uint64_t count : {1, 2, 7, 64, 1000}) {
    const auto all = values("user", {FillKind::permutation, 0, 0, ""}, ElementType::i32, count);
    const std::set<double> distinct(all.begin(), all.end());
    EXPECT_EQ(distinct.size(), count);
    EXPECT_EQ(*distinct.rbegin(), static_cast<double>(count - 1));
  }
}

TEST(InputFamily, SpecialHasEveryClassAndMostlyNumbers) {
  const auto all = values("special", {}, ElementType::f32, 200000);
  std::size_t nan = 0, infinite = 0, zero = 0, subnormal = 0;
  for (const double value : all) {
    nan += std::isnan(value);
    infinite += std::isinf(value);
    zero += value == 0;
    subnormal += value != 0 && std::abs(value) < 1e-38;
  }
  EXPECT_GT(nan, 10u);
  EXPECT_GT(infinite, 20u);
  EXPECT_GT(zero, 1000u);
  EXPECT_GT(subnormal, 1000u);
  EXPECT_LT(nan + infinite, 1000u);
}

TEST(InputFamily, RampAndOneHot) {
  const auto ramp = values("ramp", {}, ElementType::f32, 11);
  EXPECT_DOUBLE_EQ(ramp.front(), -0.5);
  EXPECT_DOUBLE_EQ(ramp.back(), 1.5);
  EXPECT_DOUBLE_EQ(mean(values("one_hot", {}, ElementType::f32, 1009 * 4)), 1.0 / 1009);
}

TEST(InputFamily, ANudgeMovesEveryValueByOneRounding) {
  auto rule = *input_rule("normal", {}, ElementType::f32, 1000, 3);
  auto nudged = rule;
  nudged.nudge = 0x1p-23;
  int up = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double before = input_value(rule, i), after = input_value(nudged, i);
    EXPECT_NEAR(std::abs(after - before), 0x1p-23 * std::abs(before), 1e-12);
    up += std::abs(after) > std::abs(before);
  }
  EXPECT_GT(up, 400);
  EXPECT_LT(up, 600);
  EXPECT_TRUE(can_be_nudged(rule.shape));
  EXPECT_FALSE(can_be_nudged(InputShape::permutation));
}

TEST(InputFamily, OnlyDataFarFromZeroMeanIsStructured) {
  EXPECT_TRUE(is_structured("large_mean"));
  EXPECT_TRUE(is_structured("one_hot"));
  EXPECT_FALSE(is_structured("user"));
  EXPECT_FALSE(is_structured("scaled_up"));
}

TEST(InputFamily, UnknownFamilyAndFilesAreErrors) {
  EXPECT_FALSE(input_rule("weird", {}, ElementType::f32, 1, 1));
  const auto file = input_rule("user", {FillKind::file, 0, 0, "x.npy"}, ElementType::f32, 1, 1);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("x.npy"), std::string::npos);
}

}  // namespace
}  // namespace cupilot
