// SPDX-License-Identifier: Apache-2.0
#include "evolution/provider/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "evolution/provider/local_providers.h"
#include "tests/unit/search/model_run.h"

namespace cupilot {
using namespace judge::bundle;
using namespace model;
using namespace provider;
using namespace search;
using namespace spec;
using namespace store;
namespace {

using testing::HasSubstr;

const RecordedRun &recorded() {
  static const RecordedRun run;
  return run;
}

TEST(Recording, HasEveryQuestionAndVerdictOfTheRunOnce) {
  const RecordedRun &run = recorded();
  EXPECT_EQ(run.recording.kernel, "k");
  EXPECT_EQ(run.recording.policy, "sce");
  EXPECT_THAT(run.recording.options, HasSubstr("population=5\n"));
  EXPECT_EQ(run.recording.provider, "scripted");
  EXPECT_EQ(run.recording.device, "NVIDIA H200");
  EXPECT_EQ(run.recording.questions.size(), run.model.shown.size());
  EXPECT_EQ(run.recording.verdicts.size(), run.ground.judge.times_judged.size());
  std::set<std::string> roles;
  int bad = 0;
  for (const RecordedQuestion &one : run.recording.questions) {
    roles.insert(one.role);
    bad += !one.failure.empty();
  }
  EXPECT_GE(roles.size(), 4u) << "strategist, translator, revisor, aligner";
  EXPECT_GT(bad, 0);
  for (const RecordedVerdict &one : run.recording.verdicts)
    EXPECT_TRUE(run.recording.variants.contains(one.variant_sha256));
}

TEST(Recording, ReadsBackEqual) {
  const RecordedRun &run = recorded();
  const std::string text = to_json_lines(run.recording);
  const auto again = recording_from(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(to_json_lines(*again), text);
  EXPECT_EQ(again->questions.size(), run.recording.questions.size());
  EXPECT_EQ(again->questions[0].prefix, run.recording.questions[0].prefix);
  EXPECT_EQ(again->verdicts.size(), run.recording.verdicts.size());
}

TEST(Recording, PlayedAgainComesToTheSameEnd) {
  const RecordedRun &run = recorded();
  Playground again({}, ridges);
  set_up_model_run(again);
  const auto file = again.folder.path() / "recording.jsonl";
  ASSERT_TRUE(write_file_atomic(file, to_json_lines(run.recording)));
  const auto replay = make_replay_provider(file);
  ASSERT_TRUE(replay) << replay.error().message;
  ReplayedLandscape judge(run.recording, again.spec);
  const auto database = [&] { return Database::open(again.folder.path() / "run.db").value(); };
  TuneOutcome outcome;
  {
    auto own = database();
    NoExecutor executor;
    const Providers providers(again.provider, **replay);
    const TuneCollaborators with{own,         executor,        providers, again.pool,
                                 again.clock, *again.progress, again.stop};
    auto played = search_kernel(again.spec, again.settings, with, judge);
    ASSERT_TRUE(played) << played.error().message;
    outcome = std::move(*played);
  }
  ASSERT_TRUE(run.outcome.winner && outcome.winner);
  EXPECT_EQ(outcome.winner->individual.variant, run.outcome.winner->individual.variant);
  EXPECT_EQ(to_json(outcome.winner->verdict), to_json(run.outcome.winner->verdict));
  EXPECT_EQ(outcome.judged, run.outcome.judged);
  EXPECT_EQ(outcome.spent.tokens(), run.outcome.spent.tokens());
  EXPECT_EQ(again.judge.verdicts, 0) << "the landscape was not asked";
  Recording played_again = recording_of(database(), 1).value();
  played_again.provider = run.recording.provider;
  for (RecordedQuestion &one : played_again.questions) one.seconds = 0;
  Recording original = run.recording;
  for (RecordedQuestion &one : original.questions) one.seconds = 0;
  EXPECT_EQ(played_again.questions.size(), original.questions.size());
  for (std::size_t i = 0; i < original.questions.size(); ++i)
    EXPECT_EQ(played_again.questions[i].question, original.questions[i].question) << i;
}

TEST(Recording, DamageNamesTheLine) {
  const RecordedRun &run = recorded();
  const std::string text = to_json_lines(run.recording);
  const auto problem = [](const std::string &lines) {
    const auto read = recording_from(lines);
    return read ? "read" : read.error().message;
  };
  const auto first_line = text.substr(0, text.find('\n') + 1);
  EXPECT_THAT(problem(""), HasSubstr("empty"));
  EXPECT_THAT(problem("{}\n"), HasSubstr("line 1 of the recording: the first line is not the head"));
  EXPECT_THAT(problem(text.substr(first_line.size())), HasSubstr("line 1"));
  EXPECT_THAT(problem(first_line + "not json\n"), HasSubstr("line 2 of the recording: damaged JSON"));
  EXPECT_THAT(problem(first_line + "{\"other\":1}\n"), HasSubstr("line 2"));
  EXPECT_THAT(problem(text.substr(0, text.size() / 2)), HasSubstr("damaged JSON"));
  EXPECT_THAT(problem(replace_all(first_line, "\"cupilot_recording\":1", "\"cupilot_recording\":9")),
              HasSubstr("version 9"));
  const auto question = text.find("{\"question\"");
  EXPECT_THAT(problem(first_line + text.substr(question, text.find('\n', question) - question)),
              HasSubstr("the text of the question's prefix is missing"));
}

TEST(RecordedJudge, SaysWhatItDoesNotKnow) {
  const RecordedRun &run = recorded();
  KernelSpec spec = run.ground.spec;
  RecordedJudge judge(run.recording, spec);
  JudgeEvents silence;
  Individual known, unknown;
  known.id = "c0001", known.variant = run.recording.variants.at(run.recording.verdicts[0].variant_sha256);
  unknown.id = "c0002", unknown.variant = "never seen";
  const auto verdicts = judge.judge({.individuals = {known, unknown}, .seed = 1}, silence).value();
  EXPECT_EQ(verdicts[0].candidate, "c0001");
  EXPECT_EQ(verdicts[0].kind, run.recording.verdicts[0].verdict.kind);
  EXPECT_EQ(verdicts[1].kind, VerdictKind::not_evaluated);
  EXPECT_THAT(verdicts[1].reason, HasSubstr("no verdict about this variant with the seed 1"));
  EXPECT_EQ(verdicts[1].device.name, "NVIDIA H200");

  spec.kernel_id = "changed";
  const auto changed = judge.judge({.individuals = {known}, .seed = 1}, silence);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().blame, Blame::user);
  EXPECT_THAT(changed.error().message, HasSubstr("an earlier state of the kernel"));
}

}  // namespace
}  // namespace cupilot
