// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/budget.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
namespace {

TEST(Budget, ReadsTimeAndCandidates) {
  const auto budget = parse_budget("30 min, 200 candidates");
  ASSERT_TRUE(budget);
  EXPECT_EQ(budget->wall, std::chrono::minutes(30));
  EXPECT_EQ(budget->candidates, 200u);
}

TEST(Budget, KeepsWhatIsNotSaid) {
  const auto budget = parse_budget("1.5h", {std::chrono::seconds(1), 7});
  ASSERT_TRUE(budget);
  EXPECT_EQ(budget->wall, std::chrono::minutes(90));
  EXPECT_EQ(budget->candidates, 7u);
}

TEST(Budget, RefusesWhatItDoesNotUnderstand) {
  for (const auto *text : {"", "30", "min", "30 fortnights", "-5 min", "0 candidates", "1.5 candidates",
                           "nan min", "1e300 h", "30 min,"}) {
    const auto budget = parse_budget(text);
    ASSERT_FALSE(budget) << text;
    EXPECT_EQ(budget.error().blame, Blame::user);
    EXPECT_NE(budget.error().message.find("30 min, 200 candidates"), std::string::npos)
        << budget.error().message;
  }
}

}  // namespace
}  // namespace cupilot::cli
