// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/strategy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kGood = R"(cupilot-strategy 1
# comment
id: wide-access
title: 128-bit loads
class: memory-bound
class: latency-bound
feature: narrow-elements
needs: neighbouring elements
step: one
  and on
step: two
effect: fewer instructions
gain: 1.4
risk: registers
check: odd sizes
rule: wide-access
)";

std::string all_of(const ParsedStrategy &parsed) {
  std::string text;
  for (const auto &diagnostic : parsed.diagnostics) text += render(diagnostic) + "\n";
  return text;
}

std::string complaint_about(const std::string &from, const std::string &to) {
  std::string text = kGood;
  text.replace(text.find(from), from.size(), to);
  return all_of(parse_strategy(text, "s.txt"));
}

TEST(StrategyText, ReadsEveryKey) {
  const auto [strategy, diagnostics] = parse_strategy(kGood, "s.txt");
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(strategy.id, "wide-access");
  EXPECT_EQ(strategy.title, "128-bit loads");
  EXPECT_THAT(strategy.roofline_classes, ElementsAre("memory-bound", "latency-bound"));
  EXPECT_THAT(strategy.features, ElementsAre("narrow-elements"));
  EXPECT_THAT(strategy.preconditions, ElementsAre("neighbouring elements"));
  EXPECT_THAT(strategy.steps, ElementsAre("one and on", "two"));
  EXPECT_EQ(strategy.expected_effect, "fewer instructions");
  EXPECT_EQ(strategy.gain, 1.4);
  EXPECT_EQ(strategy.risk, "registers");
  EXPECT_EQ(strategy.check, "odd sizes");
  EXPECT_EQ(strategy.rule, "wide-access");
}

TEST(StrategyText, WritesWhatItReads) {
  const std::string once = to_text(parse_strategy(kGood, "s.txt").strategy);
  EXPECT_EQ(to_text(parse_strategy(once, "s.txt").strategy), once);
  EXPECT_THAT(once, HasSubstr("step: one and on\n"));
}

TEST(StrategyText, LocatesMistakes) {
  EXPECT_THAT(complaint_about("risk:", "rsk:"),
              HasSubstr("s.txt:14:1: error: unknown key 'rsk'; did you mean 'risk'?"));
  EXPECT_THAT(complaint_about("risk:", "rsk:"), HasSubstr("'risk' is missing"));
  EXPECT_THAT(complaint_about("title: 128-bit loads", "title:"),
              HasSubstr("s.txt:4:1: error: 'title' has no value"));
  EXPECT_THAT(complaint_about("risk: registers", "id: two"),
              HasSubstr("s.txt:14:1: error: 'id' stands here a second time"));
  EXPECT_THAT(complaint_about("1.4", "fast"), HasSubstr("s.txt:13:1: error: 'fast' is not a speed-up"));
  EXPECT_THAT(complaint_about("1.4", "-1"), HasSubstr("'-1' is not a speed-up"));
  EXPECT_THAT(complaint_about("class: latency-bound", "class: slow"),
              HasSubstr("s.txt:6:1: error: unknown class 'slow'"));
  EXPECT_THAT(complaint_about("id: wide-access", "id: Wide Access"),
              HasSubstr("s.txt:3:1: error: 'Wide Access' cannot be an id"));
  EXPECT_THAT(complaint_about("step: two", "step two"),
              HasSubstr("s.txt:11:1: error: expected 'key: value'"));
  EXPECT_THAT(complaint_about("# comment", "  more"),
              HasSubstr("s.txt:2:1: error: nothing to continue here"));
  EXPECT_THAT(complaint_about("cupilot-strategy 1", "cupilot-strategy 2"),
              HasSubstr("s.txt:1:1: error: this is not a strategy"));
}

TEST(StrategyText, ReportsAllProblemsAtOnce) {
  EXPECT_GE(parse_strategy("", "s.txt").diagnostics.size(), 7u);
}

}  // namespace
}  // namespace cupilot
