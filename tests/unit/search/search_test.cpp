// SPDX-License-Identifier: Apache-2.0
#include "evolution/search/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "evolution/search/outcome.h"
#include "tests/unit/search/landscape.h"

namespace cupilot {
using namespace model;
using namespace search;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

const TriedStrategies *row(const TuneOutcome &outcome, const std::vector<std::string> &strategies) {
  const auto found = std::ranges::find(outcome.tried, strategies, &TriedStrategies::strategies);
  return found == outcome.tried.end() ? nullptr : &*found;
}

TEST(Search, FindsTheOptimumOfStrategiesAndKnobs) {
  Playground ground(hilly_rules(), hills);
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome) << outcome.error().message;
  ASSERT_TRUE(outcome->winner);
  const Individual &winner = outcome->winner->individual;
  EXPECT_THAT(winner.strategies, ElementsAre("warp-per-row", "wide-access", "block-size"));
  EXPECT_EQ(describe_knobs(winner.knobs), "kLanes=16 kVector=4 kThreads=128");
  EXPECT_EQ(describe_knobs(parse_knobs(winner.variant).value()), describe_knobs(winner.knobs));
  EXPECT_NEAR(overall_speedup(outcome->winner->verdict), 0.9 * 3 * 1.5 * 1.2, 1e-9);
  EXPECT_EQ(winner.provider, "builtin");
  EXPECT_EQ(outcome->stopped_because, "nothing left to try");
  ASSERT_EQ(outcome->measurements.size(), 2u);
  EXPECT_TRUE(outcome->measurements[1].holdout) << "shown at the end, with the rest";
  EXPECT_EQ(outcome->device.name, "NVIDIA H200");
  EXPECT_EQ(outcome->cases.at(0).id, "case with seed " + std::to_string(outcome->confirm_seed));
  EXPECT_EQ(ground.most_often_judged(), 1);
}

TEST(Search, TellsWhichWorkloadsTheWinnerDeclines) {
  const auto named = [](const char *id, const char *workload) {
    Case one;
    one.id = id;
    one.workload = workload;
    return one;
  };
  const std::vector<Case> cases = {named("big", "big"), named("big/rows+1", "big"), named("tall", "tall")};
  Verdict verdict;
  verdict.cases_passed = {"big"};
  EXPECT_THAT(declined_workloads(cases, verdict),
              ElementsAre("workload 'tall': the variant declines it, so the original runs there"));
  verdict.cases_passed = {"big", "tall"};
  EXPECT_THAT(declined_workloads(cases, verdict), ElementsAre());
}

TEST(Search, KnobIndividualsNameTheirParents) {
  Playground ground(hilly_rules(), hills);
  const auto outcome = ground.run().value();
  EXPECT_EQ(outcome.winner->individual.parents.size(), 1u);
}

TEST(Search, SaysWhyEachLost) {
  Playground ground(hilly_rules(), hills);
  const auto outcome = ground.run().value();
  ASSERT_TRUE(row(outcome, {"pad-shared"}));
  EXPECT_EQ(row(outcome, {"pad-shared"})->reason, "pad-shared: no shared array (line 7)");
  EXPECT_FALSE(row(outcome, {"pad-shared"})->verdict);
  EXPECT_EQ(row(outcome, {"grid-stride"})->reason, "y differs at 17");
  EXPECT_EQ(row(outcome, {"grid-stride"})->verdict, VerdictKind::wrong);
  EXPECT_EQ(row(outcome, {"block-size"})->verdict, VerdictKind::slower);
  EXPECT_THAT(row(outcome, {"warp-per-row"})->reason, HasSubstr("less than the winner's 4.86x"));
  const auto *won = row(outcome, {"warp-per-row", "wide-access", "block-size"});
  ASSERT_TRUE(won);
  EXPECT_TRUE(won->won);
  EXPECT_EQ(won->knobs, "kLanes=16 kVector=4 kThreads=128");
  EXPECT_GT(won->candidates, 5u);
  std::size_t counted = 0;
  for (const auto &[kind, count] : outcome.counts) counted += count;
  EXPECT_EQ(counted, outcome.judged);
}

TEST(Search, WhatIsWrongAloneIsNotComposed) {
  Playground ground(hilly_rules(), hills);
  ASSERT_TRUE(ground.run());
  for (const auto &[key, times] : ground.judge.times_judged)
    EXPECT_TRUE(key.first.find("grid-stride") == std::string::npos ||
                key.first.starts_with("// rules: grid-stride\n"));
}

TEST(Search, FindsAPairWhoseHalvesAreSlower) {
  Playground ground({{"a"}, {"b"}, {"c"}}, [](const Point &point) {
    return speed(point.has("a") && point.has("b") && !point.has("c") ? 2.0 : 0.8);
  });
  EXPECT_THAT(ground.run()->winner->individual.strategies, ElementsAre("a", "b"));
}

TEST(Search, WhatIsRefusedAloneMayJoinTheBest) {
  Playground ground({{"a"}, {"b", 1.1, "", "no row", "a"}},
                    [](const Point &point) { return speed(point.has("b") ? 3.0 : 1.5); });
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.winner->individual.strategies, UnorderedElementsAre("a", "b"));
}

TEST(Search, WhatIsRefusedAloneIsTriedWithEveryOther) {
  Playground ground({{"best"}, {"room"}, {"guest", 1.1, "", "no room", "room"}}, [](const Point &point) {
    if (point.has("best")) return speed(point.rules.size() == 1 ? 1.5 : 0.5);
    return speed(point.has("guest") ? 3.0 : 0.9);
  });
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.winner->individual.strategies, UnorderedElementsAre("room", "guest"));
  EXPECT_TRUE(row(outcome, {"guest"}));
  EXPECT_FALSE(row(outcome, {"best", "guest"})) << "that it is still refused is not worth a line";
}

TEST(Search, AllRefusedIsAnOutcomeWithReasons) {
  Playground ground({{"a", 1.1, "", "no loop"}, {"b", 1.1, "", "no array"}},
                    [](const Point &) { return speed(2); });
  const auto outcome = ground.run();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->winner);
  EXPECT_EQ(outcome->refused, 2u);
  EXPECT_EQ(outcome->judged, 0u);
  EXPECT_EQ(outcome->tried.at(1).reason, "b: no array (line 7)");
  EXPECT_EQ(ground.judge.batch_sizes.size(), 0u);
}

TEST(Search, AllSlowerHasNoWinnerButMeasurements) {
  Playground ground(hilly_rules(), [](const Point &) { return speed(0.7); });
  const auto outcome = ground.run().value();
  EXPECT_FALSE(outcome.winner);
  EXPECT_FALSE(outcome.best);
  EXPECT_EQ(outcome.measurements.at(0).original.median_us, 100);
  EXPECT_EQ(outcome.counts.at(VerdictKind::slower), outcome.judged);
}

TEST(Search, UnsureNeverWins) {
  Playground ground({{"noisy"}, {"solid"}}, [](const Point &point) {
    return point.has("noisy") ? Terrain{VerdictKind::unsure, 9, "noise"} : speed(1.2);
  });
  EXPECT_THAT(ground.run()->winner->individual.strategies, ElementsAre("solid"));
}

TEST(Search, TheNextIsTakenWhenTheConfirmationFails) {
  Playground ground({{"lucky"}, {"solid"}}, [](const Point &point) {
    if (point.rules.size() == 2) return speed(0.5);
    if (point.has("lucky")) return speed(point.seed == 1 ? 3.0 : 1.0);
    return speed(1.2);
  });
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.winner->individual.strategies, ElementsAre("solid"));
  EXPECT_THAT(outcome.best->individual.strategies, ElementsAre("lucky"));
  EXPECT_EQ(row(outcome, {"lucky"})->reason, "judged again on fresh data it was same: no difference");
}

TEST(Search, TheNextIsTakenWhenACheckOfTheLastStageFails) {
  Playground ground({{"racing"}, {"solid"}}, [](const Point &point) {
    if (point.rules.size() == 2) return speed(0.5);
    if (!point.has("racing")) return speed(1.2);
    if (!point.finalist) return speed(3.0);
    return Terrain{VerdictKind::wrong, 3.0, "racecheck: Race reported in racing at variant.cuh:7"};
  });
  const auto outcome = ground.run().value();
  ASSERT_TRUE(outcome.winner);
  EXPECT_THAT(outcome.winner->individual.strategies, ElementsAre("solid"));
  ASSERT_EQ(outcome.winner->verdict.finalist.size(), 1u);
  EXPECT_EQ(outcome.winner->verdict.finalist[0].outcome, FinalistCheck::Outcome::passed);
  EXPECT_THAT(row(outcome, {"racing"})->reason, testing::HasSubstr("variant.cuh:7"));
}

TEST(Search, HoldOutsAreNoReasonToWin) {
  // Whatever they show (the landscape says 1000x), the winner's figures are those of the other workloads.
  Playground ground({{"solid"}}, [](const Point &) { return speed(1.2); });
  const auto outcome = ground.run().value();
  ASSERT_TRUE(outcome.winner);
  EXPECT_NEAR(overall_speedup(outcome.winner->verdict), 1.2, 1e-9);
  EXPECT_NEAR(row(outcome, {"solid"})->speedup, 1.2, 1e-9);
}

TEST(Search, NobodyConfirmedIsNobodyPublished) {
  Playground ground({{"a"}, {"b"}}, [](const Point &point) { return speed(point.seed == 1 ? 2.0 : 1.0); });
  const auto outcome = ground.run().value();
  EXPECT_FALSE(outcome.winner);
  EXPECT_TRUE(outcome.best);
}

TEST(Search, OfEquallyFastOnesTheSimplerWins) {
  Playground ground({{"a"}, {"b"}}, [](const Point &) { return speed(1.5); });
  const auto outcome = ground.run().value();
  EXPECT_THAT(outcome.winner->individual.strategies, ElementsAre("a"));
  EXPECT_THAT(row(outcome, {"a", "b"})->reason, HasSubstr("which is simpler"));
}

TEST(Search, WhatNoMeasurementTellsApartIsDecidedForTheReader) {
  const auto winner_of = [](double gain_of_both) {
    Playground ground({{"a"}, {"b"}}, [=](const Point &point) {
      return speed(point.rules.size() == 2 ? 1.5 * gain_of_both : 1.5);
    });
    return ground.run()->winner->individual.strategies.size();
  };
  EXPECT_EQ(winner_of(1.005), 1u);
  EXPECT_EQ(winner_of(1.02), 2u);
}

TEST(Search, AnInfeasibleKnobValueIsNotTriedElsewhere) {
  Playground ground(
      {{"a", 1.1, "constexpr int kA = 1;  // knob: 1 2 3\nconstexpr int kB = 1;  // knob: 1 2 3"}},
      [](const Point &point) {
        if (point.knob("kA", 0) == 3) return Terrain{VerdictKind::build_failed, 0, "too large"};
        return speed(1 + 0.1 * static_cast<double>(point.knob("kA", 0) * point.knob("kB", 0)));
      });
  const auto outcome = ground.run().value();
  EXPECT_EQ(describe_knobs(outcome.winner->individual.knobs), "kA=2 kB=3");
  EXPECT_EQ(outcome.counts.at(VerdictKind::build_failed), 1u);
}

TEST(Search, AllValuesOfAKnobAreOneBatchNearestFirst) {
  Playground ground({{"a", 1.1, "constexpr int kA = 4;  // knob: 1 2 4 8 16"}}, [](const Point &point) {
    return speed(1 + 0.01 * static_cast<double>(point.knob("kA", 0)));
  });
  ASSERT_TRUE(ground.run());
  EXPECT_THAT(ground.judge.batch_sizes, ElementsAre(1u, 4u, 1u));
}

TEST(Search, AJudgeThatCannotWorkIsAnError) {
  Playground ground(hilly_rules(), hills);
  ground.judge.failure = "no GPU";
  const auto outcome = ground.run();
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("tuning k: judging bundle k-0001: no GPU"));
}

TEST(Search, AProviderThatCannotWorkIsAnError) {
  Playground ground(hilly_rules(), hills);
  ground.provider.failure = "cannot find cupilot-annotate";
  EXPECT_THAT(ground.run().error().message, HasSubstr("choosing strategies: cannot find cupilot-annotate"));
}

TEST(Search, AnUnknownPolicyIsTheUsersError) {
  Playground ground(hilly_rules(), hills);
  ground.settings.policy = "rulez";
  const auto outcome = ground.run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().blame, Blame::user);
  EXPECT_THAT(outcome.error().message, HasSubstr("unknown search policy 'rulez'; did you mean 'rules'?"));
}

/// Keeps what was said.
class SearchListener final : public Progress {
public:
  void kernel_started(const std::string &kernel, const std::string &) override {
    said.push_back("start " + kernel);
  }
  void round_started(const RoundStarted &round) override { said.push_back("round " + round.name); }
  void strategy_refused(const std::string &, const std::vector<std::string> &strategies,
                        const std::string &) override {
    said.push_back("refused " + join(strategies, "+"));
  }
  void candidate_judged(const CandidateJudged &one) override { said.push_back("judged " + one.candidate); }
  void best_so_far(const BestSoFar &best) override { said.push_back("best " + best.candidate); }
  void standing(const Standing &standing) override { last = standing; }
  void finished(const TuneOutcome &) override { said.emplace_back("finished"); }
  std::vector<std::string> said;
  Standing last;
};

TEST(Search, TellsWhatItDoes) {
  Playground ground({{"a"}, {"b", 1.1, "", "no"}}, [](const Point &) { return speed(1.5); });
  SearchListener listener;
  ground.progress = &listener;
  ASSERT_TRUE(ground.run());
  EXPECT_THAT(listener.said,
              ElementsAre("start k", "refused b", "round singles", "judged c0001", "best c0001",
                          "refused a+b", "round confirm", "judged c0001", "finished"));
  EXPECT_EQ(listener.last.judged, 2u);
  EXPECT_EQ(listener.last.elapsed, std::chrono::seconds(2));
}

}  // namespace
}  // namespace cupilot
