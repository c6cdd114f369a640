// SPDX-License-Identifier: Apache-2.0
#include "evolution/strategy/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "annotate/support/text.h"
#include "evolution/strategy/strategy_text.h"
#include "tests/unit/strategy/strategies.h"

namespace cupilot {
using namespace model;
using namespace strategy;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string learned(const std::string &id) {
  Strategy one = make_strategy(id, 1.2, "memory-bound", "");
  one.title = "title", one.steps = {"step"}, one.expected_effect = "effect";
  one.risk = "risk", one.check = "check";
  return to_text(one);
}

StrategyOutcome full_outcome(const std::string &id) {
  auto one = outcome(id, VerdictKind::faster, 1.0 / 3);
  one.kernel = "rms_norm", one.reason = "median \"1.38x\"\nbeside", one.at = "2026-11-22T04:17:00Z";
  return one;
}

std::string all_of(const ParsedExchange &parsed) {
  std::string text;
  for (const auto &diagnostic : parsed.diagnostics) text += render(diagnostic) + "\n";
  return text;
}

/// What is said of an export whose outcome was changed.
std::string complaint_about_export(const std::string &from, const std::string &to) {
  const auto lines = to_lines({{full_outcome("a")}, {}});
  EXPECT_NE(lines.find(from), std::string::npos) << from;
  return all_of(parse_exchange(replace_all(lines, from, to), "h.jsonl"));
}

TEST(Exchange, GivesBackWhatItWrote) {
  auto refused = outcome("b", VerdictKind::not_evaluated);
  refused.refused = true, refused.estimated = true, refused.at = "2026-11-22T04:18:00Z";
  const std::string lines = to_lines({{refused, full_outcome("a")}, {learned("z"), learned("y")}});
  const auto parsed = parse_exchange(lines, "h.jsonl");
  EXPECT_TRUE(parsed.diagnostics.empty()) << all_of(parsed);
  EXPECT_EQ(to_lines(parsed.exchange), lines);
  EXPECT_THAT(parsed.exchange.strategies, ElementsAre(learned("y"), learned("z")));
  ASSERT_EQ(parsed.exchange.outcomes.size(), 2u);
  const StrategyOutcome &one = parsed.exchange.outcomes[0];
  const StrategyOutcome expected = full_outcome("a");
  EXPECT_EQ(one.strategy, "a");
  EXPECT_EQ(one.speedup, expected.speedup);
  EXPECT_EQ(one.reason, expected.reason);
  EXPECT_EQ(one.features, expected.features);
  EXPECT_EQ(one.verdict, VerdictKind::faster);
  EXPECT_TRUE(parsed.exchange.outcomes[1].refused);
  EXPECT_TRUE(parsed.exchange.outcomes[1].estimated);
}

TEST(Exchange, TheOrderIsStable) {
  auto there = full_outcome("a"), estimate = full_outcome("a");
  there.architecture = "sm_80", estimate.estimated = true;
  const std::vector all{full_outcome("b"), estimate, there, full_outcome("a")};
  EXPECT_EQ(to_lines({all, {}}), to_lines({{all.rbegin(), all.rend()}, {}}));
  EXPECT_THAT(to_lines({}), "{\"cupilot_strategies\":1}\n");
}

TEST(Exchange, LocatesMistakes) {
  EXPECT_THAT(complaint_about_export("\"faster\"", "\"fastest\""),
              HasSubstr("h.jsonl:2:1: error: damaged line: verdict: unknown value 'fastest'"));
  EXPECT_THAT(complaint_about_export("\"sm_90\"", "\"H100\""),
              HasSubstr("h.jsonl:2:1: error: 'H100' is not an architecture"));
  EXPECT_THAT(complaint_about_export("\"strategy\":\"a\"", "\"strategy\":\"../a\""),
              HasSubstr("'../a' is not the id of a strategy"));
  EXPECT_THAT(complaint_about_export("memory-bound", "slow"), HasSubstr("unknown class 'slow'"));
  EXPECT_THAT(complaint_about_export("\"k\"", "\"\""), HasSubstr("'kernel_id' is empty"));
  EXPECT_THAT(complaint_about_export("\"loop\"", "\"lo op\""), HasSubstr("a feature is not a plain word"));
  EXPECT_THAT(complaint_about_export("0.3333333333333333", "-1"),
              HasSubstr("'speedup' is not a number from 0 to 1000000"));
  EXPECT_THAT(complaint_about_export("0.3333333333333333", "null"),
              HasSubstr("h.jsonl:2:1: error: damaged line"));
  EXPECT_THAT(complaint_about_export("04:17:00Z", "noon"), HasSubstr("'at' is not a time"));
  EXPECT_THAT(complaint_about_export("rms_norm", "rms\\u0000norm"), HasSubstr("control characters"));
  EXPECT_THAT(complaint_about_export("\"reason\"", "\"reasons\""),
              HasSubstr("an outcome has no member 'reasons'"));
  EXPECT_THAT(complaint_about_export("\"outcome\"", "\"outcomes\""),
              HasSubstr("h.jsonl:2:1: error: unknown kind of line"));
  EXPECT_THAT(complaint_about_export("}}", "}"), HasSubstr("h.jsonl:2:1: error: damaged line"));
  EXPECT_THAT(complaint_about_export("strategies\":1", "strategies\":2"),
              HasSubstr("h.jsonl:1:1: error: this export has version 2; this program reads version 1"));
  for (const char *text : {"", "x", "[]", "{}", "{\"cupilot_spec\":1}\n"})
    EXPECT_THAT(all_of(parse_exchange(text, "h.jsonl")),
                HasSubstr("h.jsonl:1:1: error: this is not an export of strategies; the first line must be "
                          "{\"cupilot_strategies\":1}"))
        << text;
}

TEST(Exchange, ReportsEveryLineAndTheLinesOfAStrategy) {
  const std::string header = "{\"cupilot_strategies\":1}\n";
  const auto said = all_of(parse_exchange(
      header + "{\"strategy\":\"cupilot-strategy 1\\nid: a\\nnonsense\\n\"}\n\n{\"strategy\":3}\n[1]\n",
      "h.jsonl"));
  EXPECT_THAT(said, HasSubstr("h.jsonl:2:1: error: line 3 of the strategy: expected 'key: value'"));
  EXPECT_THAT(said, HasSubstr("h.jsonl:4:1: error: damaged line"));
  EXPECT_THAT(said, HasSubstr("h.jsonl:5:1: error: unknown kind of line"));
}

TEST(Exchange, NothingStandsTwice) {
  const std::string lines = to_lines({{full_outcome("a")}, {learned("b")}});
  const std::string again = lines + lines.substr(lines.find('\n') + 1);
  const auto said = all_of(parse_exchange(again, "h.jsonl"));
  EXPECT_THAT(said, HasSubstr("h.jsonl:4:1: error: the strategy 'b' appears a second time"));
  EXPECT_THAT(said, HasSubstr("h.jsonl:5:1: error: an outcome of the same strategy"));
}

}  // namespace
}  // namespace cupilot
