// SPDX-License-Identifier: Apache-2.0
//
// Killed at every possible verdict, in each of three ways, and started again: the same winner, nothing judged
// twice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "annotate/spec/kernel_spec_json.h"
#include "evolution/search/search.h"
#include "tests/fakes/sample_spec.h"
#include "tests/unit/search/landscape.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace search;
using namespace spec;
namespace {

/// Small enough to be killed everywhere, with a round of every kind.
const std::vector<FakeRule> kRules = {{"warp-per-row", 4, "constexpr int kLanes = 32;  // knob: 8 16 32"},
                                      {"wide-access", 1.4, "constexpr int kVector = 2;  // knob: 2 4"},
                                      {"pad-shared", 1.3, "", "no shared array"},
                                      {"grid-stride", 1.15, ""}};

struct Killed : testing::TestWithParam<FakeJudge::Death> {};

TEST_P(Killed, AtEveryVerdictGoesOnTheSame) {
  Playground whole(kRules, hills);
  const auto expected = whole.run().value();
  const int verdicts = whole.judge.verdicts;
  ASSERT_GT(verdicts, 8);
  for (int die_at = 1; die_at <= verdicts; ++die_at) {
    Playground ground(kRules, hills);
    ground.judge.death = GetParam();
    ground.judge.die_at = die_at;
    ASSERT_FALSE(ground.run()) << die_at;
    ground.judge.die_at = -1;
    const auto outcome = ground.run();
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->winner->individual.variant, expected.winner->individual.variant) << die_at;
    EXPECT_EQ(outcome->winner->individual.id, expected.winner->individual.id) << die_at;
    EXPECT_EQ(outcome->judged + outcome->resumed, expected.judged) << die_at;
    EXPECT_EQ(ground.judge.verdicts, verdicts) << die_at;
    EXPECT_EQ(ground.most_often_judged(), 1) << die_at;
  }
}

INSTANTIATE_TEST_SUITE_P(Deaths, Killed,
                         testing::Values(FakeJudge::Death::after_callback, FakeJudge::Death::before_callback,
                                         FakeJudge::Death::before_file));

TEST(Resume, KilledAgainAndAgain) {
  Playground ground(hilly_rules(), hills), whole(hilly_rules(), hills);
  const auto expected = whole.run().value();
  ground.judge.death = FakeJudge::Death::before_callback;
  Result<TuneOutcome> outcome = fail("not run");
  for (int runs = 0; !outcome && runs < 200; ++runs) {
    ground.judge.die_at = ground.judge.verdicts + 2;
    outcome = ground.run();
  }
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->winner->individual.variant, expected.winner->individual.variant);
  EXPECT_EQ(ground.most_often_judged(), 1);
}

TEST(Resume, AFinishedSearchIsAnsweredFromTheDatabase) {
  Playground ground(hilly_rules(), hills);
  const auto first = ground.run().value();
  const auto second = ground.run().value();
  EXPECT_EQ(second.judged, 0u);
  EXPECT_EQ(second.resumed, first.judged);
  EXPECT_EQ(second.winner->individual.variant, first.winner->individual.variant);
  EXPECT_EQ(to_json(second.winner->verdict), to_json(first.winner->verdict));
  const Measurement &resumed = second.winner->verdict.measurements.at(0);
  EXPECT_EQ(resumed.noise, 0.01 / 3);
  EXPECT_EQ(resumed.launches, 24);
  EXPECT_EQ(resumed.note, "timed beside another workload");
  EXPECT_EQ(resumed.original.samples_us.at(1), 100.0 / 3);
}

TEST(Resume, AnotherSeedOrKernelStartsAfresh) {
  Playground ground(hilly_rules(), hills);
  const auto first = ground.run().value();
  ground.settings.seed = 2;
  EXPECT_EQ(ground.run()->judged, first.judged);
  ground.spec.kernel_id = "changed";
  EXPECT_EQ(ground.run()->resumed, 0u);
}

TEST(Resume, ARunIsNamedByWhatItsKernelIsNotByWhatIsDerivedFromIt) {
  FakeProvider provider({});
  const Providers providers(provider, provider);
  const auto hash = [&](const KernelSpec &spec) {
    return run_info(spec, TuneSettings{}, providers, false).spec_sha256;
  };
  const KernelSpec spec = fake::scale_spec();
  KernelSpec improved = spec;  // as a later extractor would make it
  improved.facts = {.known = true, .has_loop = true, .stores = true, .products = 1};
  improved.twin = {.missing = "scale.cu:3: 'scale' has no counterpart in double"};
  EXPECT_NE(to_json(improved), to_json(spec));
  EXPECT_EQ(hash(improved), hash(spec));
  improved.facts = {};
  improved.twin = {};
  EXPECT_EQ(hash(improved), hash(spec)) << "an older one made neither";

  KernelSpec other = spec;
  other.slice += "// another\n";
  EXPECT_NE(hash(other), hash(spec));
  other = spec;
  other.workloads.at(0).holdout = true;
  EXPECT_NE(hash(other), hash(spec));
}

TEST(Resume, VerdictsOfAnotherDeviceDoNotCount) {
  Playground ground(hilly_rules(), hills);
  const auto first = ground.run().value();
  ground.judge.device = "NVIDIA B200";
  ground.settings.device = "NVIDIA B200";
  const auto second = ground.run().value();
  EXPECT_EQ(second.judged, first.judged);
  EXPECT_EQ(second.device.name, "NVIDIA B200");
}

TEST(Resume, ADeviceThatShowsItselfLateStartsTheSearchAgain) {
  Playground ground(hilly_rules(), hills);
  ground.judge.die_at = 8;
  ASSERT_FALSE(ground.run());
  ground.judge.die_at = -1;
  ground.judge.device = "NVIDIA B200";
  const auto outcome = ground.run().value();
  EXPECT_EQ(outcome.device.name, "NVIDIA B200");
  EXPECT_EQ(outcome.winner->verdict.device.name, "NVIDIA B200");
  for (const auto &[kind, count] : outcome.counts) EXPECT_GT(count, 0u);
  EXPECT_GT(outcome.judged, 20u);
}

}  // namespace
}  // namespace cupilot
