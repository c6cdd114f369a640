// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a guard, as dispatch.cuh uses them; the header needs no CUDA.
#include "cupilot/checked.cuh"

#include <gtest/gtest.h>

#include <climits>

namespace cupilot::detail {
namespace {

bool valid(Checked value) {
  return value.between(LLONG_MIN, LLONG_MAX);
}

TEST(Checked, ComputesLikeLongLong) {
  const Checked rows = 1000, cols = 7;
  EXPECT_TRUE(((rows + 255) / 256).is(4));
  EXPECT_TRUE((rows * cols % 16 - 1).is(7));
  EXPECT_TRUE(min(rows, 32).is(32));
  EXPECT_TRUE(max(3, cols).is(7));
  EXPECT_TRUE(((rows > cols ? rows : cols) << 2).is(4000));
  EXPECT_TRUE((-rows).is(-1000));
  EXPECT_TRUE((~rows & 0xff).is(~1000 & 0xff));
}

TEST(Checked, WhatCppLeavesUndefinedIsInvalidAndEqualsNothing) {
  const Checked most = LLONG_MAX, least = LLONG_MIN, zero = 0;
  for (const auto &bad : {most + 1, least - 1, most * 2, Checked(1) / zero, Checked(1) % zero, least / -1,
                          least % -1, Checked(1) << 63, Checked(1) << -1, Checked(1) >> 64, -least}) {
    EXPECT_FALSE(valid(bad));
    EXPECT_FALSE(bad.is(0));
    EXPECT_FALSE(static_cast<bool>(bad == bad));
    EXPECT_FALSE(valid(bad + 1)) << "it stays invalid";
  }
}

TEST(Checked, TakesEveryIntegerType) {
  enum Plain { plain = 3 };
  EXPECT_TRUE(Checked(plain).is(3));
  EXPECT_TRUE(Checked(true).is(1));
  EXPECT_TRUE(Checked(~0u).is(4294967295LL));
  EXPECT_TRUE(Checked(static_cast<signed char>(-1)).is(-1));
  EXPECT_FALSE(valid(Checked(~0ULL)));
  EXPECT_TRUE(Checked(1ULL << 62).between(0, LLONG_MAX));
}

}  // namespace
}  // namespace cupilot::detail
