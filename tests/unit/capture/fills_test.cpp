// SPDX-License-Identifier: Apache-2.0

#include "evolution/capture/fills.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot::capture {
namespace {

using spec::BufferRole;
using spec::ElementType;

std::string fill(const Contents &contents, ElementType element, BufferRole role = BufferRole::in) {
  spec::Parameter parameter;
  parameter.element = element;
  return fill_of(contents, parameter, role);
}

TEST(FillOf, FloatingNumbers) {
  EXPECT_EQ(fill({.count = 9, .least = -3, .greatest = 3, .mean = 0.01, .deviation = 1}, ElementType::f32),
            "normal(0, 1)");
  EXPECT_EQ(fill({.count = 9, .least = 0, .greatest = 1, .mean = 0.5, .deviation = 0.3}, ElementType::f32),
            "uniform(0, 1)");
  EXPECT_EQ(
      fill({.count = 9, .least = 1000, .greatest = 1000.5, .mean = 1000, .deviation = 1}, ElementType::f32),
      "uniform(1000, 1000.5)");
  // Of so many, some would lie farther out: what has bounds stays within them.
  EXPECT_EQ(fill({.count = 900, .least = -1, .greatest = 1, .mean = 0, .deviation = 0.58}, ElementType::f32),
            "uniform(-1, 1)");
  EXPECT_EQ(fill({.count = 9, .least = 2, .greatest = 2, .mean = 2}, ElementType::f32), "");  // all the same
}

TEST(FillOf, WhatIsAddedToBeginsWithZeros) {
  const Contents zeros{.count = 9, .zeros = 9, .whole = true};
  EXPECT_EQ(fill(zeros, ElementType::f32, BufferRole::inout), "zeros");
  EXPECT_EQ(fill(zeros, ElementType::f32, BufferRole::in), "");
}

TEST(FillOf, WholeNumbers) {
  EXPECT_EQ(fill({.count = 9, .least = 3, .greatest = 49, .whole = true}, ElementType::i32),
            "randint(3, 50)");
  EXPECT_EQ(fill({.count = 9, .least = 0, .greatest = 8, .whole = true, .ascending = true, .counts_up = true},
                 ElementType::i32),
            "iota");
  EXPECT_EQ(
      fill({.count = 9, .least = 0, .greatest = 8, .whole = true, .permutation = true}, ElementType::i32),
      "permutation");
}

TEST(FillOf, OffsetsAreSorted) {
  const Contents offsets{.count = 9, .least = 0, .greatest = 24, .whole = true, .ascending = true};
  EXPECT_EQ(fill(offsets, ElementType::i32), "sorted(0, 25)");
  spec::Parameter parameter;
  parameter.element = ElementType::i32;
  EXPECT_EQ(fill_of(offsets, parameter, BufferRole::in, "entries + 1"), "sorted(0, entries + 1)");
}

TEST(FillOf, NothingIsKnownOfClassTypes) {
  EXPECT_EQ(fill({}, ElementType::opaque), "");
}

}  // namespace
}  // namespace cupilot::capture
