// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/budget.h"

#include <gtest/gtest.h>

namespace cupilot::cli {
using namespace cupilot::cli::run;
using namespace cupilot::provider;
using namespace cupilot::search;
namespace {

TEST(Budget, ReadsTimeAndCandidates) {
  const auto asked = parse_budget("30 min, 200 candidates");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->budget.wall, std::chrono::minutes(30));
  EXPECT_TRUE(asked->wall_said);
  EXPECT_EQ(asked->budget.candidates, 200u);
  EXPECT_FALSE(asked->budget.usd || asked->budget.tokens || asked->budget.gpu);
}

TEST(Budget, ReadsMoneyTokensAndGpuTime) {
  const auto asked = parse_budget("$5, 10 gpu-min,2M tokens");
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->budget.usd, 5.0);
  EXPECT_EQ(asked->budget.tokens, 2'000'000);
  EXPECT_EQ(asked->budget.gpu, std::chrono::minutes(10));
  EXPECT_FALSE(asked->wall_said);
  EXPECT_EQ(parse_budget("0.5 usd, 200k tokens")->budget.usd, 0.5);
  EXPECT_EQ(parse_budget("0.5 usd, 200k tokens")->budget.tokens, 200'000);
  EXPECT_EQ(parse_budget("$ 0.25")->budget.usd, 0.25);
}

TEST(Budget, KeepsWhatIsNotSaid) {
  const auto asked = parse_budget(
      "1.5h", {.wall = std::chrono::seconds(1), .candidates = 7, .usd = {}, .tokens = {}, .gpu = {}});
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->budget.wall, std::chrono::minutes(90));
  EXPECT_EQ(asked->budget.candidates, 7u);
}

TEST(Budget, RefusesWhatItDoesNotUnderstand) {
  for (const auto *text : {"", "30", "min", "30 fortnights", "-5 min", "1.5 candidates", "nan min", "1e300 h",
                           "30 min,", "$5 min", "$", "$-5", "1.5 tokens", "5 $", "inf usd", "5 gpu"}) {
    const auto asked = parse_budget(text);
    ASSERT_FALSE(asked) << text;
    EXPECT_EQ(asked.error().blame, Blame::user);
    EXPECT_NE(asked.error().message.find("30 min, 200 candidates"), std::string::npos)
        << asked.error().message;
  }
}

TEST(Budget, ZeroAndRepetitionsSayWhatTheyAre) {
  for (const auto *text : {"$0", "0 tokens", "0 candidates", "0 min", "0 gpu-min", "$5, 0.0 usd"}) {
    const auto asked = parse_budget(text);
    ASSERT_FALSE(asked) << text;
    EXPECT_NE(asked.error().message.find("is zero"), std::string::npos) << asked.error().message;
  }
  const auto twice = parse_budget("$5, 3 usd");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("amount of money a second time"), std::string::npos);
}

TEST(Budget, AModelNeverRunsWithoutALimit) {
  EXPECT_EQ(with_model_defaults({}, true).tokens, kDefaultTokens);
  EXPECT_EQ(with_model_defaults({}, true).wall, kDefaultModelTime);
  EXPECT_FALSE(with_model_defaults({}, false).tokens);
  EXPECT_FALSE(with_model_defaults(*parse_budget("$5"), true).tokens);
  EXPECT_FALSE(with_model_defaults(*parse_budget("1k tokens"), true).usd);
  EXPECT_EQ(with_model_defaults(*parse_budget("30 min"), true).wall, std::chrono::minutes(30));
}

TEST(Budget, IsSharedWithoutBeingPassed) {
  const auto asked = parse_budget("$6, 600 tokens")->budget;
  const Spending own{.tokens_in = 100, .usd = 1}, all{.tokens_in = 300, .tokens_out = 100, .usd = 3};
  const auto share = share_of(asked, all, own, 2);
  EXPECT_DOUBLE_EQ(*share.usd, 2.5);  // spent 1, and half of the 3 that are left
  EXPECT_EQ(*share.tokens, 200);
  const auto over = share_of(asked, {.tokens_in = 700, .usd = 7}, own, 1);
  EXPECT_DOUBLE_EQ(*over.usd, 1);
  EXPECT_EQ(*over.tokens, 100);
  EXPECT_FALSE(share_of({}, all, own, 1).usd);
}

TEST(Budget, FiguresForPeople) {
  EXPECT_EQ(money_text(0), "$0");
  EXPECT_EQ(money_text(0.03124), "$0.0312");
  EXPECT_EQ(money_text(4.966), "$4.97");
  EXPECT_EQ(tokens_text(812), "812");
  EXPECT_EQ(tokens_text(31'499), "31k");
  EXPECT_EQ(tokens_text(2'130'000), "2.1M");
  const auto asked = parse_budget("$5, 2M tokens")->budget;
  EXPECT_EQ(money_text(*asked.usd), "$5.00");
  EXPECT_EQ(tokens_text(*asked.tokens), "2.0M");
  EXPECT_FALSE(Budget().usd || Budget().tokens);
}

}  // namespace
}  // namespace cupilot::cli
