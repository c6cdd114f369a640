// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/applicability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace model;
using namespace spec;
using namespace strategy;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Applicability, NumbersOfArchitectures) {
  EXPECT_EQ(architecture_number("sm_90"), 90);
  EXPECT_EQ(architecture_number("sm_90a"), 90);
  EXPECT_EQ(architecture_number("compute_120f"), 120);
  for (const char *name : {"", "90", "sm_", "sm_x", "sm_90+", "sm_90b", "sm_-3"})
    EXPECT_FALSE(architecture_number(name)) << name;
}

TEST(Applicability, Patterns) {
  for (const char *pattern : {"sm_90", "sm_80+", "sm_100", "sm_90a"})
    EXPECT_TRUE(is_architecture_pattern(pattern));
  for (const char *pattern : {"sm_90f", "sm_90a+", "compute_90", "sm_90-", "90", "+"})
    EXPECT_FALSE(is_architecture_pattern(pattern)) << pattern;
}

TEST(Applicability, TheArchitectureExcludes) {
  Strategy strategy;
  strategy.architectures = {"sm_90", "sm_120+"};
  const auto on = [&](const char *name) { return why_excluded(strategy, name, PrecisionKind::same); };
  for (const char *name : {"sm_90", "sm_90a", "sm_120", "sm_121", ""}) EXPECT_FALSE(on(name)) << name;
  EXPECT_EQ(on("sm_80"), "needs sm_90 or sm_120+");
  EXPECT_TRUE(on("sm_100"));
  strategy.architectures.clear();
  EXPECT_FALSE(on("sm_52"));
}

TEST(Applicability, WhatNeedsTheLetter) {
  Strategy strategy;
  strategy.architectures = {"sm_90a"};
  EXPECT_FALSE(why_excluded(strategy, "sm_90a", PrecisionKind::same));
  EXPECT_EQ(why_excluded(strategy, "sm_90", PrecisionKind::same), "needs sm_90a");
  EXPECT_TRUE(why_excluded(strategy, "sm_100a", PrecisionKind::same));
}

TEST(Applicability, TheClauseExcludes) {
  EXPECT_THAT(clauses_named("the clause precision(tf32 | half) or so"), ElementsAre("tf32", "half"));
  EXPECT_THAT(clauses_named("precision matters"), IsEmpty());
  Strategy strategy;
  strategy.preconditions = {"two dimensions", "the clause precision(tf32|half)"};
  strategy.risk = "under precision(same) it is wrong";
  EXPECT_EQ(why_excluded(strategy, "sm_90", PrecisionKind::same), "needs the clause precision(tf32|half)");
  EXPECT_TRUE(why_excluded(strategy, "sm_90", PrecisionKind::bf16));
  EXPECT_FALSE(why_excluded(strategy, "sm_90", PrecisionKind::tf32));
  EXPECT_FALSE(why_excluded(strategy, "sm_90", PrecisionKind::half));
}

}  // namespace
}  // namespace cupilot
