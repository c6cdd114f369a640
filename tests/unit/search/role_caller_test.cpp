// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/role_caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"

namespace cupilot {
namespace {

using testing::HasSubstr;

/// Answers from a list, counts the questions.
class ScriptedProvider final : public Provider {
public:
  ScriptedProvider(bool costly, std::vector<std::string> answers)
      : costly_(costly), answers_(std::move(answers)) {}
  std::string name() const override { return "scripted"; }
  bool costly() const override { return costly_; }
  Result<RoleAnswer> answer(const RoleRequest &) override {
    ++asked;
    if (answers_.empty()) return fail("no connection");
    RoleAnswer answer;
    answer.content = answers_.front();
    answers_.erase(answers_.begin());
    return answer;
  }
  int asked = 0;

private:
  bool costly_;
  std::vector<std::string> answers_;
};

Result<int> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos)
    return fail("not a number");
  return std::stoi(std::string(text));
}

struct RoleCallerTest : testing::Test {
  Answered<int> ask(Provider &provider, const std::string &content = "?") {
    return RoleCaller(provider, database, run)
        .ask<int>({.role = "counter", .content = content}, parse_number)
        .value();
  }
  TemporaryFolder folder = TemporaryFolder::create("role").value();
  Database database = Database::open(folder.path() / "run.db").value();
  std::int64_t run = database.begin_run({.kernel = "k"}).value();
};

TEST_F(RoleCallerTest, GivesTheParsedAnswer) {
  ScriptedProvider provider(false, {"7"});
  EXPECT_EQ(ask(provider).value(), 7);
}

TEST_F(RoleCallerTest, AsksOnceMoreWhenTheAnswerIsBad) {
  ScriptedProvider provider(true, {"seven", "7"});
  EXPECT_EQ(ask(provider).value(), 7);
  EXPECT_EQ(provider.asked, 2);
}

TEST_F(RoleCallerTest, TwoBadAnswersAreAFailureWithTheReason) {
  ScriptedProvider provider(true, {"seven", "eight", "9"});
  EXPECT_THAT(ask(provider).error().reason, HasSubstr("the counter's answer: not a number"));
  EXPECT_EQ(provider.asked, 2);
}

TEST_F(RoleCallerTest, AForeseenAnswerIsTakenWhenItIsAskedFor) {
  ScriptedProvider provider(false, {"1", "2", "3"});
  RoleCaller caller(provider, database, run);
  caller.foresee({{.role = "counter", .content = "a"}, {.role = "counter", .content = "b"}});
  const auto answers = caller.ask_all<int>(
      {{.role = "counter", .content = "c"}, {.role = "counter", .content = "b"}}, parse_number);
  EXPECT_EQ(answers.value()[0].value(), 3);
  EXPECT_EQ(answers.value()[1].value(), 2);
  EXPECT_EQ(provider.asked, 3);
}

TEST_F(RoleCallerTest, WhatCostsIsNotAskedAhead) {
  ScriptedProvider provider(true, {"1"});
  RoleCaller(provider, database, run).foresee({{.role = "counter", .content = "a"}});
  EXPECT_EQ(provider.asked, 0);
}

TEST_F(RoleCallerTest, RulesAreNotAskedTwice) {
  ScriptedProvider provider(false, {"seven", "7"});
  EXPECT_FALSE(ask(provider));
  EXPECT_EQ(provider.asked, 1);
}

TEST_F(RoleCallerTest, AProviderThatFailsIsAValue) {
  ScriptedProvider provider(false, {});
  EXPECT_EQ(ask(provider).error().reason, "no connection");
}

TEST_F(RoleCallerTest, ACostlyAnswerIsNeverPaidTwice) {
  ScriptedProvider provider(true, {"bad", "7", "8"});
  EXPECT_EQ(ask(provider).value(), 7);
  EXPECT_EQ(ask(provider).value(), 7);
  EXPECT_EQ(provider.asked, 2);
  EXPECT_EQ(ask(provider, "another question").value(), 8);
}

}  // namespace
}  // namespace cupilot
