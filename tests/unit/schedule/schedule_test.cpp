// SPDX-License-Identifier: Apache-2.0
#include "evolution/schedule/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/schedule/code.h"

namespace cupilot::schedule {
namespace {

TEST(Schedule, WhatDidNotLiftIsRefusedWithThePlaceAndTheReason) {
  spec::KernelSpec spec;
  spec.lifted.missing = {"'x' is volatile", 12};
  for (const Schedule &one : schedules()) {
    const Outcome outcome = one.write(spec);
    ASSERT_FALSE(outcome) << one.name;
    EXPECT_EQ(outcome.error().reason, "'x' is volatile") << one.name;
    EXPECT_EQ(outcome.error().line, 12) << one.name;
  }
}

TEST(Schedule, IsFoundByItsName) {
  for (const Schedule &one : schedules()) EXPECT_EQ(find_schedule(one.name), &one);
  EXPECT_EQ(find_schedule("row-in-registerss"), nullptr);
}

TEST(Schedule, FoldsThatSkipNanAndThoseThatKeepIt) {
  EXPECT_EQ(fold_text("top", "max", "float", "v"), "top = fmaxf(top, v);\n");
  EXPECT_EQ(fold_text("top", "max", "float", "v", true), "top = (v) > top ? (v) : top;\n");
  EXPECT_EQ(fold_text("sum", "+", "double", "a * b"), "sum += a * b;\n");
}

}  // namespace
}  // namespace cupilot::schedule
