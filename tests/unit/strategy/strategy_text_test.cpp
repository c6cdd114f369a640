// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/strategy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupilot {
using namespace model;
using namespace strategy;
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
arch: sm_80+
arch: sm_75
conflict: bulk-copy
evidence: CUDA C++ Programming Guide, device memory accesses
evidence: rms_norm on sm_90, 1.4x
parent: s0007
)";

std::string all_of(const ParsedStrategy &parsed) {
  std::string text;
  for (const auto &diagnostic : parsed.diagnostics) text += render(diagnostic) + "\n";
  return text;
}

std::string complaint_about_text(const std::string &from, const std::string &to) {
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
  EXPECT_THAT(strategy.architectures, ElementsAre("sm_80+", "sm_75"));
  EXPECT_THAT(strategy.conflicts, ElementsAre("bulk-copy"));
  EXPECT_THAT(strategy.evidence,
              ElementsAre("CUDA C++ Programming Guide, device memory accesses", "rms_norm on sm_90, 1.4x"));
  EXPECT_THAT(strategy.parents, ElementsAre("s0007"));
}

TEST(StrategyText, WritesWhatItReads) {
  const std::string once = to_text(parse_strategy(kGood, "s.txt").strategy);
  EXPECT_EQ(to_text(parse_strategy(once, "s.txt").strategy), once);
  EXPECT_THAT(once, HasSubstr("step: one and on\n"));
  for (const char *line : {"arch: sm_80+\narch: sm_75\n", "conflict: bulk-copy\n", "parent: s0007\n",
                           "evidence: rms_norm on sm_90, 1.4x\n"})
    EXPECT_THAT(once, HasSubstr(line));
}

TEST(StrategyText, ValuesOfAModelStayOneLine) {
  Strategy strategy = parse_strategy(kGood, "s.txt").strategy;
  strategy.steps = {"first\n# not a comment\r\n\n  rule: no key "};
  const auto parsed = parse_strategy(to_text(strategy), "s.txt");
  EXPECT_TRUE(parsed.diagnostics.empty()) << all_of(parsed);
  EXPECT_THAT(parsed.strategy.steps, ElementsAre("first # not a comment rule: no key"));
  EXPECT_EQ(parsed.strategy.rule, "wide-access");
}

TEST(StrategyText, LocatesMistakes) {
  EXPECT_THAT(complaint_about_text("risk:", "rsk:"),
              HasSubstr("s.txt:14:1: error: unknown key 'rsk'; did you mean 'risk'?"));
  EXPECT_THAT(complaint_about_text("risk:", "rsk:"), HasSubstr("'risk' is missing"));
  EXPECT_THAT(complaint_about_text("title: 128-bit loads", "title:"),
              HasSubstr("s.txt:4:1: error: 'title' has no value"));
  EXPECT_THAT(complaint_about_text("risk: registers", "id: two"),
              HasSubstr("s.txt:14:1: error: 'id' appears a second time"));
  EXPECT_THAT(complaint_about_text("1.4", "fast"), HasSubstr("s.txt:13:1: error: 'fast' is not a speed-up"));
  EXPECT_THAT(complaint_about_text("1.4", "-1"), HasSubstr("'-1' is not a speed-up"));
  EXPECT_THAT(complaint_about_text("class: latency-bound", "class: slow"),
              HasSubstr("s.txt:6:1: error: unknown class 'slow'"));
  EXPECT_THAT(complaint_about_text("id: wide-access", "id: Wide Access"),
              HasSubstr("s.txt:3:1: error: 'Wide Access' cannot be an id"));
  EXPECT_THAT(complaint_about_text("step: two", "step two"),
              HasSubstr("s.txt:11:1: error: expected 'key: value'"));
  EXPECT_THAT(complaint_about_text("# comment", "  more"),
              HasSubstr("s.txt:2:1: error: there is no value that this line could continue"));
  EXPECT_THAT(complaint_about_text("sm_75", "90"),
              HasSubstr("s.txt:18:1: error: '90' is not an architecture"));
  EXPECT_THAT(complaint_about_text("sm_75", "sm_80+"),
              HasSubstr("s.txt:18:1: error: this 'arch' appears a second time"));
  EXPECT_THAT(complaint_about_text("bulk-copy", "Bulk copy"),
              HasSubstr("s.txt:19:1: error: 'Bulk copy' cannot be an id"));
  EXPECT_THAT(complaint_about_text("s0007", "s/7"), HasSubstr("s.txt:22:1: error: 's/7' cannot be an id"));
  EXPECT_THAT(complaint_about_text("neighbouring elements", "the clause precision(tf32|fp8)"),
              HasSubstr("s.txt:8:1: error: unknown precision clause 'fp8'"));
  EXPECT_THAT(complaint_about_text("cupilot-strategy 1", "cupilot-strategy 2"),
              HasSubstr("s.txt:1:1: error: this is not a strategy"));
}

TEST(StrategyText, ReportsAllProblemsAtOnce) {
  EXPECT_GE(parse_strategy("", "s.txt").diagnostics.size(), 7u);
}

}  // namespace
}  // namespace cupilot
