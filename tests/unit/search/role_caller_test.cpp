// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/role_caller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/provider/recording.h"

namespace cupilot {
using namespace provider;
using namespace search;
using namespace store;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Answers from a list, keeps the questions. 10 tokens and a cent an answer, at most 100 tokens and ten
/// cents.
class ScriptedProvider final : public Provider {
public:
  ScriptedProvider(bool costly, std::vector<std::string> answers)
      : costly_(costly), answers_(std::move(answers)) {}
  std::string name() const override { return "scripted"; }
  std::string model() const override { return "m"; }
  bool costly() const override { return costly_; }
  Spending at_most(const RoleRequest &) const override {
    return costly_ ? Spending{.tokens_in = 40, .tokens_out = 60, .usd = 0.1} : Spending{};
  }
  ProviderAnswer answer(const RoleRequest &request) override {
    prompts.push_back(request.prompt);
    if (before_answer) before_answer();
    if (answers_.empty())
      return std::unexpected(NoAnswer{.reason = "no connection", .final = final, .spent = lost});
    RoleAnswer answer{.content = answers_.front(), .model = "m-2026", .request_id = "r", .seconds = 2};
    answers_.erase(answers_.begin());
    if (costly_) answer.spent = {.tokens_in = 6, .tokens_cached = 2, .tokens_out = 4, .usd = 0.01};
    return answer;
  }
  std::vector<std::string> prompts;
  std::function<void()> before_answer;
  bool final = false;
  Spending lost;

private:
  bool costly_;
  std::vector<std::string> answers_;
};

Result<int> parse_number(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos)
    return fail("not a number");
  return std::stoi(std::string(text));
}

RoleRequest about(const std::string &prompt) {
  return {.role = "counter", .prefix = "count", .prompt = prompt, .prompt_version = "counter 1"};
}

struct RoleCallerTest : testing::Test {
  std::vector<Answered<int>> ask_all(Provider &provider, const std::vector<RoleRequest> &requests) {
    RoleCaller caller([&](const std::string &) -> Provider & { return provider; }, database, run, ledger);
    auto answers = caller.ask_all<int>(requests, parse_number).value();
    done_because = caller.done_because();
    return answers;
  }
  Answered<int> ask(Provider &provider, const std::string &prompt = "?") {
    return ask_all(provider, {about(prompt)}).front();
  }
  std::vector<RoleCall> calls() const { return database.role_calls(run).value(); }

  TemporaryFolder folder = TemporaryFolder::create("role").value();
  Database database = Database::open(folder.path() / "run.db").value();
  std::int64_t run = database.begin_run({.kernel = "k"}).value();
  Ledger ledger{{}, {}};
  std::string done_because;
};

TEST_F(RoleCallerTest, GivesTheParsedAnswerAndItsCall) {
  ScriptedProvider provider(false, {"7"});
  const auto answer = ask(provider);
  EXPECT_EQ(answer.value(), 7);
  EXPECT_THAT(answer.calls, ElementsAre(calls().at(0).id));
}

TEST_F(RoleCallerTest, KeepsEveryQuestionWithItsAnswerAndCost) {
  ScriptedProvider provider(true, {"7"});
  ASSERT_TRUE(ask(provider));
  const RoleCall call = calls().at(0);
  EXPECT_EQ(call.state, RoleCall::State::answered);
  EXPECT_EQ(call.question_sha256, question_sha256(about("?")));
  EXPECT_EQ(call.prefix, "count");
  EXPECT_EQ(call.prompt, "?");
  EXPECT_EQ(call.answer, "7");
  EXPECT_EQ(call.provider, "scripted");
  EXPECT_EQ(call.model, "m-2026");
  EXPECT_EQ(call.request_id, "r");
  EXPECT_EQ(call.tokens_in, 6);
  EXPECT_EQ(call.tokens_cached, 2);
  EXPECT_EQ(call.tokens_out, 4);
  EXPECT_EQ(call.price_usd, 0.01);
  EXPECT_EQ(call.seconds, 2);
  EXPECT_EQ(ledger.spent().tokens(), 10);
  EXPECT_EQ(ledger.reserved().tokens(), 0);
}

TEST_F(RoleCallerTest, AQuestionIsKeptBeforeItIsAskedAtTheMostItCanCost) {
  ScriptedProvider provider(true, {"7"});
  provider.before_answer = [&] {
    const RoleCall call = calls().at(0);
    EXPECT_EQ(call.state, RoleCall::State::asked);
    EXPECT_EQ(call.tokens_in, 40);
    EXPECT_EQ(call.tokens_out, 60);
    EXPECT_EQ(call.price_usd, 0.1);
    EXPECT_EQ(ledger.reserved().tokens(), 100);
  };
  ASSERT_TRUE(ask(provider));
}

TEST_F(RoleCallerTest, AnAnswerIsKeptAsSoonAsItIsThere) {
  ScriptedProvider provider(true, {"7", "8"});
  provider.before_answer = [&] { EXPECT_EQ(calls().at(0).answer, provider.prompts.size() == 2 ? "7" : ""); };
  ask_all(provider, {about("a"), about("b")});
  EXPECT_EQ(provider.prompts.size(), 2u);
}

TEST_F(RoleCallerTest, ABadAnswerIsAskedOnceMoreWithTheReason) {
  ScriptedProvider provider(true, {"seven", "7"});
  const auto answer = ask(provider);
  EXPECT_EQ(answer.value(), 7);
  EXPECT_THAT(
      provider.prompts,
      ElementsAre("?", "?\n\nYour last answer could not be used: not a number. Answer again in full."));
  EXPECT_THAT(answer.calls, ElementsAre(calls().at(0).id, calls().at(1).id));
  EXPECT_EQ(calls().at(0).failure, "the counter's answer: not a number");
  EXPECT_EQ(calls().at(0).answer, "seven");
  EXPECT_EQ(ledger.spent().tokens(), 20) << "a bad answer is paid for too";
}

TEST_F(RoleCallerTest, TwoBadAnswersAreAFailureWithTheReason) {
  ScriptedProvider provider(true, {"seven", "eight", "9"});
  const auto answer = ask(provider);
  EXPECT_EQ(answer.error().reason, "the counter's answer: not a number");
  EXPECT_EQ(answer.calls.size(), 2u);
  EXPECT_EQ(provider.prompts.size(), 2u);
}

TEST_F(RoleCallerTest, OfManyOnlyTheBadOnesAreAskedAgain) {
  ScriptedProvider provider(true, {"1", "two", "3", "2"});
  const auto answers = ask_all(provider, {about("a"), about("b"), about("c")});
  EXPECT_EQ(answers[0].value(), 1);
  EXPECT_EQ(answers[1].value(), 2);
  EXPECT_EQ(answers[2].value(), 3);
  EXPECT_EQ(answers[0].calls.size(), 1u);
  EXPECT_EQ(answers[1].calls.size(), 2u);
}

TEST_F(RoleCallerTest, TheSameQuestionTwiceIsAskedOnce) {
  ScriptedProvider provider(true, {"1", "2"});
  const auto answers = ask_all(provider, {about("a"), about("a"), about("b")});
  EXPECT_EQ(answers[1].value(), 1);
  EXPECT_EQ(answers[2].value(), 2);
  EXPECT_EQ(answers[1].calls, answers[0].calls);
}

TEST_F(RoleCallerTest, AForeseenAnswerIsTakenWhenItIsAskedFor) {
  ScriptedProvider provider(false, {"1", "2", "3"});
  RoleCaller caller([&](const std::string &) -> Provider & { return provider; }, database, run, ledger);
  caller.foresee({about("a"), about("b")});
  const auto answers = caller.ask_all<int>({about("c"), about("b")}, parse_number);
  EXPECT_EQ(answers.value()[0].value(), 3);
  EXPECT_EQ(answers.value()[1].value(), 2);
  EXPECT_EQ(provider.prompts.size(), 3u);
}

TEST_F(RoleCallerTest, WhatCostsIsNotAskedAhead) {
  ScriptedProvider provider(true, {"1"});
  RoleCaller([&](const std::string &) -> Provider & { return provider; }, database, run, ledger)
      .foresee({about("a")});
  EXPECT_TRUE(provider.prompts.empty());
}

TEST_F(RoleCallerTest, RulesAreNotAskedTwice) {
  ScriptedProvider provider(false, {"seven", "7"});
  EXPECT_FALSE(ask(provider));
  EXPECT_EQ(provider.prompts.size(), 1u);
}

TEST_F(RoleCallerTest, AProviderThatFailsIsAValue) {
  ScriptedProvider provider(false, {});
  EXPECT_EQ(ask(provider).error().reason, "no connection");
  EXPECT_EQ(done_because, "");
}

TEST_F(RoleCallerTest, ACostlyAnswerIsNeverPaidTwice) {
  ScriptedProvider provider(true, {"bad", "7", "8"});
  EXPECT_EQ(ask(provider).value(), 7);
  const auto again = ask(provider);
  EXPECT_EQ(again.value(), 7);
  EXPECT_THAT(again.calls, ElementsAre(calls().at(0).id, calls().at(1).id));
  EXPECT_EQ(provider.prompts.size(), 2u);
  EXPECT_EQ(ask(provider, "another question").value(), 8);
}

TEST_F(RoleCallerTest, TwoBadAnswersAreNotPaidForAgainEither) {
  ScriptedProvider provider(true, {"bad", "worse", "7"});
  EXPECT_FALSE(ask(provider));
  EXPECT_FALSE(ask(provider));
  EXPECT_EQ(provider.prompts.size(), 2u);
}

TEST_F(RoleCallerTest, WhatWasLostOrFailedIsAskedAgain) {
  RoleCall lost{.role = "counter", .question_sha256 = question_sha256(about("?")), .provider = "scripted"};
  ASSERT_TRUE(database.begin_role_call(run, lost));
  ScriptedProvider unreachable(true, {}), provider(true, {"7"});
  EXPECT_FALSE(ask(unreachable));
  EXPECT_EQ(ask(provider).value(), 7);
}

TEST_F(RoleCallerTest, AnAnswerThatWillNeverComeEndsAllAsking) {
  ScriptedProvider provider(true, {"1"});
  provider.final = true;
  const auto answers = ask_all(provider, {about("a"), about("b")});
  EXPECT_EQ(answers[0].value(), 1);
  EXPECT_EQ(answers[1].error().reason, "no connection");
  EXPECT_EQ(done_because, "no connection");

  RoleCaller caller([&](const std::string &) -> Provider & { return provider; }, database, run, ledger);
  ASSERT_TRUE(caller.ask<int>(about("c"), parse_number));
  const std::size_t asked = provider.prompts.size();
  const auto refused = caller.ask<int>(about("d"), parse_number).value();
  EXPECT_EQ(refused.error().reason, "not asked: no connection");
  EXPECT_TRUE(refused.calls.empty());
  EXPECT_EQ(provider.prompts.size(), asked);
  EXPECT_EQ(caller.ask<int>(about("a"), parse_number)->value(), 1) << "what is known stays known";
}

TEST_F(RoleCallerTest, WhatDoesNotFitTheMoneyIsNotAsked) {
  ledger = Ledger({.usd = 0.125}, {});
  ScriptedProvider provider(true, {"1", "2", "3", "4", "5"});
  const auto answers = ask_all(provider, {about("a"), about("b"), about("c"), about("d"), about("e")});
  EXPECT_TRUE(answers[2]);
  EXPECT_EQ(provider.prompts.size(), 3u) << "0.125 - 0.1 is left after the third";
  EXPECT_THAT(answers[3].error().reason, HasSubstr("not asked: money budget spent ($0.0300 of $0.12"));
  EXPECT_THAT(done_because, HasSubstr("the next question may cost $0.10"));
  EXPECT_LE(ledger.spent().usd, 0.125);
}

TEST_F(RoleCallerTest, TheTokenBudgetIsKeptExactly) {
  for (const long long budget : {99, 100, 109, 110, 199}) {
    ledger = Ledger({.tokens = budget}, {});
    ScriptedProvider provider(true, std::vector<std::string>(20, "1"));
    std::vector<RoleRequest> requests;
    for (int i = 0; i < 20; ++i) requests.push_back(about(std::to_string(budget) + "," + std::to_string(i)));
    ask_all(provider, requests);
    const auto expected = budget < 100 ? 0 : (budget - 100) / 10 + 1;
    EXPECT_EQ(static_cast<long long>(provider.prompts.size()), expected) << budget;
    EXPECT_EQ(ledger.spent().tokens(), 10 * expected);
    EXPECT_LE(ledger.spent().tokens(), budget);
  }
}

TEST_F(RoleCallerTest, ABudgetOfZeroAsksNobodyButRules) {
  ledger = Ledger({.usd = 0.0}, {});
  ScriptedProvider provider(true, {"1"}), rules(false, {"2"});
  EXPECT_THAT(ask(provider).error().reason, HasSubstr("$0.00 of $0.00"));
  EXPECT_EQ(ask(rules, "rules").value(), 2);
  EXPECT_TRUE(provider.prompts.empty());
}

TEST_F(RoleCallerTest, AnAnswerThatWasCutIsPaidForAsTheProviderSays) {
  ScriptedProvider provider(true, {});
  provider.lost = {.tokens_in = 6, .tokens_out = 60, .usd = 0.09};
  EXPECT_FALSE(ask(provider));
  EXPECT_EQ(ledger.spent().tokens(), 66);
  EXPECT_EQ(calls().at(0).state, RoleCall::State::failed);
  EXPECT_EQ(calls().at(0).tokens_out, 60);
}

/// Keeps what was said.
class RoleListener final : public Progress {
public:
  void role_asked(const RoleAsked &one) override {
    said.push_back(one.role + " asks " + std::to_string(one.questions) + " of " + one.model);
  }
  void role_answered(const RoleAnswered &one) override {
    said.push_back((one.resumed ? "known, " : "answered, ") + std::to_string(one.run_tokens) + " tokens" +
                   (one.failure.empty() ? "" : ": " + one.failure));
  }
  std::vector<std::string> said;
};

TEST_F(RoleCallerTest, TellsOfEveryQuestionThatCosts) {
  RoleListener listener;
  ScriptedProvider provider(true, {"1", "two", "2"}), rules(false, {"3"});
  const auto ask_with = [&](Provider &whom, const std::vector<RoleRequest> &requests) {
    RoleCaller caller([&](const std::string &) -> Provider & { return whom; }, database, run, ledger);
    caller.report_to(listener, "k");
    ASSERT_TRUE(caller.ask_all<int>(requests, parse_number));
  };
  ask_with(provider, {about("a"), about("b")});
  ask_with(rules, {about("c")});
  ask_with(provider, {about("a")});
  EXPECT_THAT(listener.said, ElementsAre("counter asks 2 of m", "answered, 10 tokens",
                                         "answered, 20 tokens: the counter's answer: not a number",
                                         "counter asks 1 of m", "answered, 30 tokens", "known, 30 tokens"));
}

}  // namespace
}  // namespace cupilot
