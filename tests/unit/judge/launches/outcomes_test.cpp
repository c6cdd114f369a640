// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/launches/outcomes.h"

#include <gmock/gmock.h>

namespace cupilot {
using namespace judge::launches;
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 2k + 1: condition k is true; 2k: it is false.
constexpr std::uint64_t no(int k) {
  return 2 * static_cast<std::uint64_t>(k);
}
constexpr std::uint64_t yes(int k) {
  return no(k) + 1;
}

TEST(Outcomes, ACallThatGoesAnotherWayIsChosenOnce) {
  const std::vector<Outcomes> seen{{no(0), no(1)}};
  const std::vector<Outcomes> calls{{no(0), no(1)}, {yes(0), no(1)}, {yes(0), no(1)}};
  EXPECT_THAT(calls_with_new_outcomes(seen, calls, {}), ElementsAre(1));
  EXPECT_THAT(calls_with_new_outcomes(calls, calls, {}), IsEmpty());
}

/// "rows % 11 == 0 && cols % 11 == 0": each by itself has been seen.
TEST(Outcomes, CountInPairs) {
  const std::vector<Outcomes> seen{{no(0), no(1)}, {yes(0), no(1)}, {no(0), yes(1)}};
  const std::vector<Outcomes> calls{{no(0), no(1)}, {yes(0), yes(1)}};
  EXPECT_THAT(calls_with_new_outcomes(seen, calls, {}), ElementsAre(1));
  EXPECT_THAT(calls_with_new_outcomes(seen, calls, {.single = 4, .pairs = 0, .triples = 0}), IsEmpty());
}

TEST(Outcomes, CountInThrees) {
  const std::vector<Outcomes> seen{
      {no(0), no(1), no(2)}, {no(0), yes(1), yes(2)}, {yes(0), no(1), yes(2)}, {yes(0), yes(1), no(2)}};
  const std::vector<Outcomes> calls{seen[1], {yes(0), yes(1), yes(2)}};
  EXPECT_THAT(calls_with_new_outcomes(seen, calls, {.single = 4, .pairs = 4, .triples = 0}), IsEmpty());
  EXPECT_THAT(calls_with_new_outcomes(seen, calls, {}), ElementsAre(1));
}

TEST(Outcomes, OrdersCountByThemselves) {
  const auto less = outcome(OutcomeKind::order, 1), greater = outcome(OutcomeKind::order, 2);
  const std::vector<Outcomes> seen{{no(0), less}, {yes(0), greater}};
  EXPECT_THAT(calls_with_new_outcomes(seen, {{yes(0), less}}, {}), IsEmpty());
  EXPECT_THAT(calls_with_new_outcomes({seen[0]}, {{no(0), greater}}, {}), ElementsAre(0));
}

TEST(Outcomes, AreLimited) {
  std::vector<Outcomes> calls;
  for (std::uint64_t i = 0; i < 100; ++i) calls.push_back({i});
  EXPECT_EQ(calls_with_new_outcomes({{1000}}, calls, {.single = 16, .pairs = 0, .triples = 0}).size(), 16U);
}

TEST(Outcomes, OfOneKindAreNoneOfAnother) {
  EXPECT_NE(outcome(OutcomeKind::step, 5), outcome(OutcomeKind::label, 5));
  EXPECT_EQ(outcome(OutcomeKind::launch, ~std::uint64_t{0}) >> kOutcomeBits,
            static_cast<std::uint64_t>(OutcomeKind::launch));
}

}  // namespace
}  // namespace cupilot
