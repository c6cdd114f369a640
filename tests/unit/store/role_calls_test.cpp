// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/store/connection.h"
#include "evolution/store/store_fields.h"
#include "tests/unit/filled.h"
#include "tests/unit/store/sample_verdict.h"

namespace cupilot {
using namespace model;
using namespace store;
namespace {

using State = RoleCall::State;

struct RoleCallsTest : testing::Test {
  RoleCall question(const std::string &sha = "q1") const {
    return {.role = "translator",
            .prompt_version = "translator 2",
            .content = "{}",
            .prefix = "the kernel",
            .prompt = "apply this",
            .question_sha256 = sha,
            .provider = "openai",
            .model = "m",
            .tokens_in = 100,
            .tokens_out = 1000,
            .price_usd = 0.5};
  }
  RoleCall asked(const std::string &sha = "q1") {
    RoleCall call = question(sha);
    call.id = database.begin_role_call(run, call).value();
    return call;
  }
  void answer(RoleCall call, const std::string &text, const std::string &failure = "") {
    call.state = State::answered;
    call.answer = text;
    call.failure = failure;
    call.model = "m-2026";
    call.request_id = "req_1";
    call.tokens_in = 90, call.tokens_cached = 40, call.tokens_out = 7;
    call.price_usd = 0.125, call.seconds = 2.5;
    ASSERT_TRUE(database.end_role_call(call));
  }
  std::optional<RoleCall> found(const std::string &sha = "q1") {
    return Database::open(path)->find_answer(run, sha, "openai").value();
  }

  TemporaryFolder folder = TemporaryFolder::create("store").value();
  std::filesystem::path path = folder.path() / "run.db";
  Database database = Database::open(path).value();
  std::int64_t run = database.begin_run(sample_run()).value();
};

/// Made from the description: whatever a call holds comes back, both when it is asked and when it is
/// answered.
TEST_F(RoleCallsTest, EveryMemberComesBack) {
  RoleCall call = filled<RoleCall>();
  call.id = database.begin_role_call(run, call).value();
  const auto asked = Database::open(path)->role_calls(run).value();
  ASSERT_EQ(asked.size(), 1u);
  call.at = asked[0].at;
  EXPECT_TRUE(asked[0] == call);
  const RoleCall before = call;
  Filler filler;
  filler.fill(call, kRoleQuestion);
  filler.fill(call, kRoleAnswer);
  EXPECT_FALSE(call == before);
  ASSERT_TRUE(database.end_role_call(call));
  const auto answered = Database::open(path)->role_calls(run).value();
  ASSERT_EQ(answered.size(), 1u);
  EXPECT_TRUE(item_equal(answered[0], call, kRoleAnswer));
  EXPECT_TRUE(item_equal(answered[0], before, kRoleQuestion)) << "the question stays as it was asked";
}

TEST_F(RoleCallsTest, AnAnswerComesBackEqual) {
  answer(asked(), "yes");
  const auto call = found();
  ASSERT_TRUE(call);
  EXPECT_EQ(call->state, State::answered);
  EXPECT_EQ(call->role, "translator");
  EXPECT_EQ(call->prompt_version, "translator 2");
  EXPECT_EQ(call->content, "{}");
  EXPECT_EQ(call->prefix, "the kernel");
  EXPECT_EQ(call->prompt, "apply this");
  EXPECT_EQ(call->answer, "yes");
  EXPECT_EQ(call->failure, "");
  EXPECT_EQ(call->model, "m-2026");
  EXPECT_EQ(call->request_id, "req_1");
  EXPECT_EQ(call->tokens_in, 90);
  EXPECT_EQ(call->tokens_cached, 40);
  EXPECT_EQ(call->tokens_out, 7);
  EXPECT_EQ(call->price_usd, 0.125);
  EXPECT_EQ(call->seconds, 2.5);
  EXPECT_FALSE(call->at.empty());
}

TEST_F(RoleCallsTest, OnlyAnswersOfThisRunQuestionAndProviderAreFound) {
  EXPECT_FALSE(found());
  const RoleCall lost = asked();
  EXPECT_FALSE(found()) << "asked and lost";
  RoleCall failed = lost;
  failed.state = State::failed;
  failed.failure = "time limit";
  ASSERT_TRUE(database.end_role_call(failed));
  EXPECT_FALSE(found()) << "there was no answer";
  answer(asked(), "yes");
  EXPECT_TRUE(found());
  EXPECT_FALSE(found("q2"));
  EXPECT_FALSE(database.find_answer(run, "q1", "anthropic").value());
  RunInfo other = sample_run();
  other.options = "population=4";
  const auto another = database.begin_run(other).value();
  EXPECT_NE(another, run) << "a run of other options is another run";
  EXPECT_FALSE(database.find_answer(another, "q1", "openai").value());
}

TEST_F(RoleCallsTest, GoodAnswersComeBeforeBadOnesAndLaterOnesFirst) {
  answer(asked(), "first");
  answer(asked(), "second");
  answer(asked(), "gibberish", "not a number");
  EXPECT_EQ(found()->answer, "second");
  answer(asked("q2"), "gibberish", "not a number");
  EXPECT_EQ(found("q2")->failure, "not a number") << "a bad one is an answer too: it was paid for";
}

TEST_F(RoleCallsTest, WhatWasAskedAndLostCountsAtItsMost) {
  answer(asked(), "yes");
  asked("q2");
  const auto spending = database.role_spending(run).value();
  EXPECT_EQ(spending.calls, 2u);
  EXPECT_EQ(spending.tokens_in, 190);
  EXPECT_EQ(spending.tokens_cached, 40);
  EXPECT_EQ(spending.tokens_out, 1007);
  EXPECT_EQ(spending.price_usd, 0.625);
}

TEST_F(RoleCallsTest, PrefixesAreKeptOnce) {
  asked("q1"), asked("q2");
  const auto connection = Connection::open(path).value();
  auto row = connection->query("SELECT COUNT(*) FROM text").value();
  ASSERT_EQ(row.step(), true);
  EXPECT_EQ(row.integer(0), 1);
  const auto calls = database.role_calls(run).value();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[1].question_sha256, "q2");
  EXPECT_EQ(calls[1].prefix, "the kernel");
  EXPECT_EQ(calls[1].state, State::asked);
}

TEST_F(RoleCallsTest, ReportsSeeRunsIndividualsAndEvents) {
  Individual individual = sample_individual("c0001", "one");
  individual.strategy_text = "as ordered";
  individual.parents = {"c0000"};
  individual.calls = {3};
  ASSERT_TRUE(database.add_bundle(
      run, {.id = "b1", .seed = 7, .individuals = {individual, sample_individual("c0002", "two")}}));
  ASSERT_EQ(database.add_verdict("b1", sample_verdict("c0001")), true);
  ASSERT_TRUE(database.add_event(run, "round", "first"));
  ASSERT_TRUE(database.end_run(run, "done"));

  auto individuals = database.individuals(run).value();
  ASSERT_EQ(individuals.size(), 2u);
  EXPECT_EQ(individuals[0].bundle, "b1");
  EXPECT_EQ(individuals[0].seed, 7u);
  EXPECT_EQ(individuals[0].individual.strategies, (std::vector<std::string>{"block-size", "wide-access"}));
  EXPECT_EQ(individuals[0].individual.strategy_text, "as ordered");
  EXPECT_EQ(individuals[0].individual.parents, std::vector<std::string>{"c0000"});
  EXPECT_EQ(individuals[0].individual.calls, std::vector<std::int64_t>{3});
  EXPECT_EQ(individuals[0].individual.knobs.at(0).value, 128);
  ASSERT_TRUE(individuals[0].verdict);
  EXPECT_EQ(individuals[0].verdict->measurements.size(), 1u);
  EXPECT_FALSE(individuals[1].verdict);

  ASSERT_TRUE(database.align(run, "c0001", "as it came out", {3, 4}));
  individuals = database.individuals(run).value();
  EXPECT_EQ(individuals[0].individual.strategy_text, "as it came out");
  EXPECT_EQ(individuals[0].individual.calls, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(individuals[1].individual.strategy_text, "");

  const auto runs = database.runs().value();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].info.kernel, "rms_norm");
  EXPECT_EQ(runs[0].outcome, "done");
  EXPECT_EQ(database.events(run)->at(0).text, "first");
}

}  // namespace
}  // namespace cupilot
