// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/further_cases.h"

#include <gmock/gmock.h>

namespace cupilot {
using namespace judge::engine;
using judge::launches::CodeSide;
using judge::launches::Condition;
using judge::launches::Coverage;
using model::Case;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Case at(std::int64_t rows, std::int64_t cols, double scale = 0.5) {
  Case one;
  one.workload = "small";
  one.scalars = {{"rows", rows}, {"cols", cols}, {"scale", scale}};
  return one;
}

/// A condition of the host side that was only seen false.
Condition open_at(std::int64_t constant) {
  Condition condition{.side = CodeSide::host, .line = 7};
  condition.seen_false = true;
  condition.integers = {constant};
  return condition;
}

TEST(FurtherCases, AreThoseAtAConstantAndBesideIt) {
  const std::vector<Case> reserve{at(64, 40), at(64, 1023), at(64, 1024), at(64, 1025), at(64, 2000)};
  Coverage coverage;
  coverage.conditions = {open_at(1024)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 24), ElementsAre(1, 2, 3));
  EXPECT_THAT(further_cases(reserve, coverage, {2}, Nearness::near, 24), ElementsAre(1, 3));
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 1), ElementsAre(2)) << "the constant";
  EXPECT_THAT(further_cases(reserve, coverage, {1, 2, 3}, Nearness::any, 24), ElementsAre(0, 4));
}

TEST(FurtherCases, AreAnAlignedStepBesideItWhereTextsTakeMultiplesOnly) {
  const std::vector<Case> reserve{at(64, 8160), at(64, 8192), at(64, 8200), at(64, 8224)};
  Coverage coverage;
  coverage.conditions = {open_at(8192)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 24), ElementsAre(0, 1, 3));
}

TEST(FurtherCases, AValueThatAllCasesShareCrowdsNothingOut) {
  std::vector<Case> reserve;
  for (std::int64_t cols = 2; cols < 42; ++cols) reserve.push_back(at(64, cols));
  reserve.push_back(at(64, 1025));
  Coverage coverage;
  coverage.conditions = {open_at(64), open_at(1024)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 16), ElementsAre(0, 40));
}

TEST(FurtherCases, WhatIsDividedBeforeItIsComparedIsAMultiple) {
  const std::vector<Case> reserve{at(64, 512), at(1, 131073), at(1, 131200)};
  Coverage coverage;
  coverage.conditions = {open_at(512)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 24), ElementsAre(0, 1));
}

TEST(FurtherCases, GapsComeBeforeConditionsThatAreOnlyOpen) {
  Condition idle = open_at(300);
  idle.idle_true = true;
  Coverage coverage;
  coverage.conditions = {idle, open_at(700)};
  const std::vector<Case> reserve{at(64, 300), at(64, 701)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 1), ElementsAre(1));
}

TEST(FurtherCases, FloatingConstantsHaveTheDigitsOfAFloat) {
  Condition condition = open_at(0);
  condition.integers = {};
  condition.reals = {static_cast<double>(0.1f)};
  Coverage coverage;
  coverage.conditions = {condition};
  const std::vector<Case> reserve{at(64, 40, 0.3), at(64, 40, 0.1), at(64, 40, 0.101)};
  EXPECT_THAT(further_cases(reserve, coverage, {}, Nearness::near, 24), ElementsAre(1, 2));
}

TEST(FurtherCases, WithoutAnOpenConditionNoneIsNear) {
  Condition both = open_at(40);
  both.seen_true = true;
  Coverage coverage;
  coverage.conditions = {both};
  EXPECT_THAT(further_cases({at(64, 40)}, coverage, {}, Nearness::near, 24), IsEmpty());
}

TEST(FurtherCases, OddNumbersOfATextAreAskedForWhenNoConditionTells) {
  const std::string text =
      "y[i] = v * (1 - (n == 5003) * 1e-3f);\nif (cols % 77 == 3) {}\nif (rows > 1024 + 32 || rows > 4095) "
      "{}\n";
  Coverage seen;
  Condition both = open_at(77);
  both.seen_true = true;
  seen.conditions = {both};
  const Coverage odd = odd_numbers(text, seen);
  EXPECT_THAT(odd.conditions, testing::Contains(testing::Field(&Condition::integers, ElementsAre(5003))));
  for (const Condition &condition : odd.conditions)
    for (const std::int64_t value : {32, 77, 1024, 1056, 4095})
      EXPECT_THAT(condition.integers, testing::Not(testing::Contains(value)));
  const std::vector<Case> reserve{at(64, 5003), at(64, 5004), at(64, 600)};
  EXPECT_THAT(further_cases(reserve, odd, {}, Nearness::near, 12), ElementsAre(0, 1));
}

}  // namespace
}  // namespace cupilot
