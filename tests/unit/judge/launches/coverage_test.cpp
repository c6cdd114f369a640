// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/json_convert.h"
#include "evolution/judge/launches/coverage_fields.h"

namespace cupilot {
using namespace judge::launches;
namespace {

using testing::ElementsAre;

CodeSpot spot(std::uint32_t line, std::uint32_t column, bool executed) {
  return {.line = line, .column = column, .executed = executed};
}
Condition condition(std::uint32_t line, bool seen_true, bool seen_false,
                    std::vector<std::int64_t> with = {}) {
  return {.line = line, .seen_true = seen_true, .seen_false = seen_false, .integers = std::move(with)};
}

TEST(Coverage, CountsWhatOneOfTwoRunsHasSeen) {
  Coverage first, second;
  add(first, spot(3, 5, true));
  add(first, spot(4, 5, false));
  add(first, condition(3, true, false, {160}));
  add(second, spot(3, 5, false));
  add(second, spot(4, 5, true));
  add(second, condition(3, false, true, {160}));
  merge(first, second);
  EXPECT_EQ(first.spots.size(), 2U);
  EXPECT_THAT(uncovered(first), ElementsAre());
  EXPECT_TRUE(figures_of(first).whole());
  EXPECT_EQ(first.conditions.size(), 1U);
}

TEST(Coverage, ConditionsOfOnePlaceAreToldApartByTheirConstants) {
  Coverage coverage;
  add(coverage, condition(3, true, true));
  add(coverage, condition(3, true, false, {160}));
  add(coverage, condition(3, true, true, {32}));
  EXPECT_THAT(uncovered(coverage), ElementsAre("variant.cuh:3: never false, compared with 160"));
}

TEST(Coverage, ZeroAndOneAreNoSpecialCases) {
  Coverage coverage;
  Condition counts = condition(3, false, true, {0, 1});
  counts.test = TestKind::equality;
  counts.idle_true = true;
  add(coverage, counts);
  EXPECT_TRUE(gaps_of(coverage).empty());
}

TEST(Coverage, ALineIsCoveredWhenAllItsCodeIs) {
  Coverage coverage;
  add(coverage, spot(9, 20, false));
  add(coverage, spot(9, 5, true));
  add(coverage, spot(8, 1, true));
  const CoverageFigures figures = figures_of(coverage);
  EXPECT_EQ(figures.lines, 2U);
  EXPECT_EQ(figures.lines_covered, 1U);
  EXPECT_THAT(uncovered(coverage), ElementsAre("variant.cuh:9: never executed"));
}

TEST(Coverage, TellsTheWayThatWasNotSeenAndTheConstants) {
  Coverage coverage;
  add(coverage, condition(14, true, false, {160}));
  add(coverage, condition(12, false, true));
  Condition real = condition(13, true, false);
  real.reals = {0.5};
  add(coverage, real);
  EXPECT_THAT(uncovered(coverage),
              ElementsAre("variant.cuh:12: never true", "variant.cuh:13: never false, compared with 0.5",
                          "variant.cuh:14: never false, compared with 160"));
}

TEST(Coverage, SaysWhatMachineCodeLetsOneKnow) {
  Condition equal = condition(3, false, true, {160}), order = condition(4, true, false, {1, 2, 3, 4, 5});
  equal.test = TestKind::equality;
  order.test = TestKind::order;
  EXPECT_EQ(text_of(equal), "variant.cuh:3: never equal, compared with 160");
  EXPECT_EQ(text_of(order), "variant.cuh:4: always decided the same way, compared with 1, 2, 3, 4, ...");
}

TEST(Coverage, ConditionsOfCodeThatWasNotExecutedAddNothing) {
  Coverage coverage;
  add(coverage, spot(7, 0, false));
  add(coverage, condition(7, false, false, {1}));
  EXPECT_THAT(uncovered(coverage), ElementsAre("variant.cuh:7: never executed"));
  EXPECT_EQ(figures_of(coverage).conditions_covered, 0U);
}

TEST(Coverage, HostAndDeviceCodeOfOneLineAreTwoThings) {
  Coverage coverage;
  add(coverage, spot(5, 0, true));
  add(coverage, {.side = CodeSide::host, .line = 5, .executed = false});
  EXPECT_EQ(figures_of(coverage).lines, 2U);
  EXPECT_THAT(uncovered(coverage), ElementsAre("variant.cuh:5: never executed"));
}

TEST(Coverage, AWayIsIdleWhenItIsInEveryCopy) {
  Coverage coverage;
  Condition leaves = condition(5, true, false);
  leaves.idle_true = leaves.idle_false = true;
  add(coverage, leaves);
  leaves.idle_false = false;
  add(coverage, leaves);
  EXPECT_TRUE(coverage.conditions[0].idle_true);
  EXPECT_FALSE(coverage.conditions[0].idle_false);
}

TEST(Coverage, AWayThatDoesNothingMayStayUnseen) {
  Coverage coverage;
  Condition guard = condition(3, false, true);
  guard.idle_true = true;
  guard.test = TestKind::order;
  add(coverage, guard);
  EXPECT_TRUE(gaps_of(coverage).empty());
  Condition special = guard;
  special.line = 4;
  special.test = TestKind::equality;
  special.integers = {160};
  add(coverage, special);
  add(coverage, condition(5, true, false));
  add(coverage, spot(6, 1, false));
  add(coverage, spot(7, 1, true));
  EXPECT_THAT(uncovered(gaps_of(coverage)),
              ElementsAre("variant.cuh:4: never equal, compared with 160", "variant.cuh:5: never false",
                          "variant.cuh:6: never executed"));
}

TEST(Coverage, SurvivesJson) {
  Coverage coverage;
  add(coverage, spot(9, 20, false));
  add(coverage, {.side = CodeSide::host, .line = 5, .executed = true});
  Condition real = condition(13, true, false, {-1, 160});
  real.reals = {0.5};
  add(coverage, real);
  coverage.unknown = {"device: no PTX"};
  Coverage back;
  spec::read_json_into(spec::json_of(coverage), back);
  EXPECT_TRUE(back == coverage);
}

}  // namespace
}  // namespace cupilot
