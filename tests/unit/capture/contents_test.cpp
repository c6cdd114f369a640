// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cupilot::capture {
namespace {

using spec::ElementType;

template <class T>
Contents contents(const std::vector<T> &values, ElementType type) {
  return contents_of(std::as_bytes(std::span(values)), type);
}

TEST(ContentsOf, Moments) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal(5, 2);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> a(100000), b(100000);
  for (auto &value : a) value = normal(random);
  for (auto &value : b) value = uniform(random);
  const auto of_a = contents(a, ElementType::f64), of_b = contents(b, ElementType::f64);
  EXPECT_NEAR(of_a.mean, 5, 0.05);
  EXPECT_NEAR(of_a.deviation, 2, 0.05);
  EXPECT_NEAR(of_b.deviation, std::sqrt(1.0 / 12), 0.01);
  EXPECT_FALSE(of_a.whole);
}

TEST(ContentsOf, Order) {
  const auto up = contents<int>({0, 1, 2, 3}, ElementType::i32);
  EXPECT_TRUE(up.counts_up && up.ascending && up.permutation && up.whole);
  const auto mixed = contents<int>({2, 0, 1}, ElementType::i32);
  EXPECT_TRUE(mixed.permutation);
  EXPECT_FALSE(mixed.ascending);
  const auto twice = contents<int>({0, 0, 2}, ElementType::i32);
  EXPECT_TRUE(twice.ascending);
  EXPECT_FALSE(twice.permutation || twice.counts_up);
}

TEST(ContentsOf, WhatIsNoNumber) {
  const auto some = contents<float>({1, NAN, INFINITY, 0}, ElementType::f32);
  EXPECT_EQ(some.nans, 1u);
  EXPECT_EQ(some.infinities, 1u);
  EXPECT_EQ(some.zeros, 1u);
  EXPECT_EQ(some.greatest, 1);
  EXPECT_FALSE(some.whole);
  EXPECT_EQ(contents<float>({NAN}, ElementType::f32).greatest, 0);
  EXPECT_EQ(contents<float>({1, 2}, ElementType::opaque).count, 0u);
}

TEST(ContentsOf, HalfOfAnElementIsLeftOut) {
  const std::vector<std::byte> bytes(7);
  EXPECT_EQ(contents_of(bytes, ElementType::f32).count, 1u);
}

}  // namespace
}  // namespace cupilot::capture
