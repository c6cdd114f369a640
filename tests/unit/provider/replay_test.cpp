// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/support/files.h"
#include "evolution/provider/local_providers.h"
#include "evolution/provider/recording.h"

namespace cupilot {
using namespace provider;
namespace {

using testing::HasSubstr;

const RoleRequest kReplayedQuestion{
    .role = "translator", .prefix = "rules", .prompt = "do it", .prompt_version = "t 3"};

RecordedQuestion recorded(const RoleRequest &request, std::optional<std::string> answer,
                          std::string failure = "") {
  return {.question = question_sha256(request),
          .role = request.role,
          .prompt_version = request.prompt_version,
          .prefix = request.prefix,
          .prompt = request.prompt,
          .answer = std::move(answer),
          .failure = std::move(failure),
          .model = "m-1",
          .spent = {.tokens_in = 10, .tokens_cached = 4, .tokens_out = 3, .usd = 0.25},
          .seconds = 2.5};
}

struct Replay : testing::Test {
  std::unique_ptr<Provider> of(std::vector<RecordedQuestion> questions) {
    Recording recording;
    recording.kernel = "k", recording.questions = std::move(questions);
    EXPECT_TRUE(write_file_atomic(path, to_json_lines(recording)));
    auto made = make_replay_provider(path);
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }
  TemporaryFolder folder = TemporaryFolder::create("replay").value();
  std::filesystem::path path = folder.path() / "run.recording";
};

TEST_F(Replay, GivesTheRecordedAnswerWithWhatItCost) {
  const auto provider = of({recorded(kReplayedQuestion, "yes")});
  EXPECT_EQ(provider->at_most(kReplayedQuestion).tokens_in, 10);
  const auto answer = provider->answer(kReplayedQuestion);
  ASSERT_TRUE(answer) << answer.error().reason;
  EXPECT_EQ(answer->content, "yes");
  EXPECT_EQ(answer->model, "m-1");
  EXPECT_EQ(answer->spent.tokens_in, 10);
  EXPECT_EQ(answer->spent.tokens_cached, 4);
  EXPECT_EQ(answer->spent.tokens_out, 3);
  EXPECT_EQ(answer->spent.usd, 0.25);
  EXPECT_EQ(answer->seconds, 2.5);
  EXPECT_TRUE(provider->costly());
}

TEST_F(Replay, AskedAgainItGivesTheNextAndPastTheLastNone) {
  const auto provider =
      of({recorded(kReplayedQuestion, "first"), recorded({.role = "other"}, "x"),
          recorded(kReplayedQuestion, {}, "busy"), recorded(kReplayedQuestion, "second", "not JSON")});
  EXPECT_EQ(provider->answer(kReplayedQuestion)->content, "first");
  const auto none = provider->answer(kReplayedQuestion);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, "busy");
  EXPECT_EQ(none.error().spent.tokens_out, 3);
  EXPECT_EQ(provider->answer(kReplayedQuestion)->content, "second");
  const auto last = provider->answer(kReplayedQuestion);
  ASSERT_FALSE(last);
  EXPECT_THAT(last.error().reason, HasSubstr("has 3 answers to the translator's question"));
  EXPECT_FALSE(last.error().final);
  EXPECT_EQ(provider->at_most(kReplayedQuestion).tokens(), 0);
}

TEST_F(Replay, AQuestionIsAllItsParts) {
  const auto provider = of({recorded(kReplayedQuestion, "yes")});
  for (auto change :
       {&RoleRequest::role, &RoleRequest::content, &RoleRequest::prefix, &RoleRequest::prompt}) {
    auto other = kReplayedQuestion;
    other.*change += "x";
    const auto none = provider->answer(other);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().reason, HasSubstr("the recorded run did not ask it"));
  }
  auto newer = kReplayedQuestion;
  newer.prompt_version = "t 4";
  EXPECT_EQ(provider->answer(newer).error().reason,
            "the recording was made with the prompt 't 3', but this run uses 't 4'");
}

TEST_F(Replay, WhatIsNoRecordingIsSaid) {
  const auto error = [&] {
    const auto made = make_replay_provider(path);
    EXPECT_FALSE(made);
    return made ? std::string() : made.error().message;
  };
  EXPECT_THAT(error(), HasSubstr("run.recording"));
  ASSERT_TRUE(write_file_atomic(path, "{\"question\":1}\n"));
  EXPECT_THAT(error(), HasSubstr("run.recording: line 1"));
  ASSERT_TRUE(write_file_atomic(path, ""));
  EXPECT_THAT(error(), HasSubstr("empty"));
}

}  // namespace
}  // namespace cupilot
