// SPDX-License-Identifier: Apache-2.0
//
// SIGKILL at a hundred random moments of a replayed run with a model, some of them of one run after the
// other: the same winner, verdicts and spending as without, and no answer that was kept is asked for again.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <thread>

#include "evolution/provider/local_providers.h"
#include "tests/unit/search/model_run.h"

namespace cupilot {
using namespace model;
using namespace provider;
using namespace search;
using namespace store;
namespace {

constexpr int kRuns = 20, kKillsOfEach = 5;

/// A server that bills: every request is a line of a file outside of the run's folder, written before the
/// answer is given. Each question costs its own amount, and could have cost more.
class BillingProvider final : public Provider {
public:
  BillingProvider(Provider &answers, const std::filesystem::path &bill)
      : answers_(answers), bill_(open(bill.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  ~BillingProvider() override { close(bill_); }
  std::string name() const override { return "billing"; }
  std::string model() const override { return "m"; }
  bool costly() const override { return true; }
  Spending at_most(const RoleRequest &) const override { return kMost; }
  ProviderAnswer answer(const RoleRequest &request) override {
    const std::string hash = question_sha256(request);
    const std::string line = hash + "\n";
    EXPECT_EQ(write(bill_, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    auto answer = answers_.answer(request);
    if (answer) {
      answer->seconds = 0;
      answer->spent = {.tokens_in = 100 + hash[0], .tokens_out = hash[1], .usd = 0.001 * hash[2]};
    }
    return answer;
  }
  static constexpr Spending kMost{.tokens_in = 1000, .tokens_out = 1000, .usd = 1};

private:
  Provider &answers_;
  int bill_;
};

struct EndState {
  std::string winner, verdict, stopped_because, tried;
  std::size_t judged = 0;
  std::map<std::string, std::string> verdicts;  ///< by variant
};

struct KillTest : testing::Test {
  struct Place {
    TemporaryFolder folder = memory_folder(), outside = memory_folder();
    std::filesystem::path bill() const { return outside.path() / "bill"; }
    std::filesystem::path database() const { return folder.path() / "run.db"; }
  };

  KillTest() { EXPECT_TRUE(write_file_atomic(file, to_json_lines(recorded.recording))); }

  Result<TuneOutcome> play(const Place &place) const {
    Playground ground({}, ridges);
    set_up_model_run(ground);
    ground.settings.bundles = place.folder.path() / "bundles";
    CUPILOT_TRY(replay, make_replay_provider(file));
    BillingProvider provider(*replay, place.bill());
    CUPILOT_TRY(database, Database::open(place.database()));
    NoExecutor executor;
    const Providers providers(ground.provider, provider);
    ReplayedLandscape judge(recorded.recording, ground.spec);
    return search_kernel(
        ground.spec, ground.settings,
        {database, executor, providers, ground.pool, ground.clock, *ground.progress, ground.stop}, judge);
  }
  /// Of three: a moment drawn from a time that something else made long would strike after the end.
  std::chrono::microseconds shortest_play() const {
    auto shortest = std::chrono::microseconds::max();
    for (int i = 0; i < 3; ++i) {
      const Place place;
      const auto began = std::chrono::steady_clock::now();
      EXPECT_TRUE(play(place));
      shortest = std::min(shortest, std::chrono::duration_cast<std::chrono::microseconds>(
                                        std::chrono::steady_clock::now() - began));
    }
    return shortest;
  }
  pid_t start(const Place &place) const {
    const pid_t child = fork();
    if (child == 0) _exit(play(place) ? 0 : 1);
    return child;
  }
  static EndState end_state(const TuneOutcome &outcome, const Place &place) {
    EndState end{.stopped_because = outcome.stopped_because, .judged = outcome.judged + outcome.resumed};
    if (outcome.winner) {
      end.winner = outcome.winner->individual.id + " " + outcome.winner->individual.variant + " " +
                   outcome.winner->individual.strategy_text;
      end.verdict = to_json(outcome.winner->verdict);
    }
    for (const TriedStrategies &one : outcome.tried)
      end.tried += join(one.strategies, "+") + " " + one.individual + " " + one.reason + "\n";
    const auto database = Database::open(place.database()).value();
    const auto individuals = database.individuals(1).value();
    for (const StoredIndividual &one : individuals) {
      auto &verdict = end.verdicts[std::to_string(one.seed) + " " + one.individual.variant];
      verdict = one.verdict ? to_string(one.verdict->kind) : "none";
    }
    return end;
  }
  static std::map<std::string, int> bill_of(const Place &place) {
    std::map<std::string, int> bill;
    for (const std::string &line : split_lines(read_file(place.bill()).value_or("")))
      if (!line.empty()) ++bill[line];
    return bill;
  }

  RecordedRun recorded;
  TemporaryFolder folder = memory_folder();
  std::filesystem::path file = folder.path() / "recording.jsonl";
};

void expect_same(const EndState &end, const EndState &expected) {
  EXPECT_EQ(end.winner, expected.winner);
  EXPECT_EQ(end.verdict, expected.verdict);
  EXPECT_EQ(end.stopped_because, expected.stopped_because);
  EXPECT_EQ(end.tried, expected.tried);
  EXPECT_EQ(end.judged, expected.judged);
  EXPECT_EQ(end.verdicts, expected.verdicts);
}

TEST_F(KillTest, AtRandomMomentsEndsTheSameAndPaysForNothingTwice) {
  const Place undisturbed;
  const auto outcome = play(undisturbed).value();
  const auto takes = shortest_play();
  const EndState expected = end_state(outcome, undisturbed);
  ASSERT_FALSE(expected.winner.empty());
  const auto bill = bill_of(undisturbed);
  ASSERT_GT(bill.size(), 20u);

  std::mt19937 dice(7);
  int killed = 0, lost_in_all = 0;
  for (int run = 0; run < kRuns; ++run) {
    const Place place;
    for (int kill_number = 0; kill_number < kKillsOfEach; ++kill_number) {
      const pid_t child = start(place);
      ASSERT_GT(child, 0);
      // Later starts have less left to do.
      const auto longest = static_cast<unsigned long>(takes.count() / (1 + kill_number));
      std::this_thread::sleep_for(std::chrono::microseconds(dice() % (longest + 1)));
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      killed += WIFSIGNALED(status);
    }
    const auto after = play(place);
    ASSERT_TRUE(after) << after.error().message;
    expect_same(end_state(*after, place), expected);

    // What was asked and never answered is the only thing asked again, and counts at its most.
    std::map<std::string, int> asked = bill;
    Spending most_of_lost;
    const auto database = Database::open(place.database()).value();
    const auto calls = database.role_calls(1).value();
    for (const RoleCall &call : calls) {
      if (call.state != RoleCall::State::asked) continue;
      ++lost_in_all;
      ++asked[call.question_sha256];
      most_of_lost += BillingProvider::kMost;
    }
    for (const auto &[question, times] : bill_of(place)) EXPECT_LE(times, asked[question]) << question;
    EXPECT_EQ(bill_of(place).size(), bill.size());
    EXPECT_EQ(after->spent.tokens_in, outcome.spent.tokens_in + most_of_lost.tokens_in);
    EXPECT_EQ(after->spent.tokens_out, outcome.spent.tokens_out + most_of_lost.tokens_out);
    EXPECT_NEAR(after->spent.usd, outcome.spent.usd + most_of_lost.usd, 1e-9);
  }
  RecordProperty("killed", killed);
  RecordProperty("lost", lost_in_all);
  std::printf("%d of %d were killed at work, %d questions were under way\n", killed, kRuns * kKillsOfEach,
              lost_in_all);
  EXPECT_GT(killed, kRuns * kKillsOfEach / 2) << "most kills struck a run at work";
}

}  // namespace
}  // namespace cupilot
