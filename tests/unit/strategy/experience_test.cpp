// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/experience.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/strategy/strategies.h"

namespace cupilot {
using namespace model;
using namespace strategy;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Experience, TheMostTellingFirst) {
  std::vector<StrategyOutcome> history{
      outcome("far", VerdictKind::faster, 3, "sm_70"), outcome("near", VerdictKind::slower, 0.8),
      outcome("often", VerdictKind::faster, 1.2), outcome("often", VerdictKind::wrong)};
  EXPECT_THAT(
      experience_of(history, "sm_90", {"loop"}, 9),
      ElementsAre("often: 1 win of 2 on sm_90, median 1.20x; failed once (wrong)",
                  "near: 0 wins of 1 on sm_90, median 0.80x", "far: 1 win of 1 on sm_70, median 3.00x"));
  EXPECT_EQ(experience_of(history, "sm_90", {"loop"}, 2).size(), 2u);
  EXPECT_TRUE(experience_of({}, "sm_90", {"loop"}, 2).empty());
}

TEST(Experience, NamesNoKernelAndNoReason) {
  auto one = outcome("wide-access", VerdictKind::wrong);
  one.kernel = "secret_kernel", one.kernel_id = "secret_id", one.reason = "secret reason";
  const std::vector<StrategyOutcome> history{one};
  EXPECT_THAT(experience_of(history, "sm_90", {}, 9).at(0), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace cupilot
