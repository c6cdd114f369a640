// SPDX-License-Identifier: Apache-2.0
//
// From individuals to verdicts, each variant once: what this search has judged, then what the run database
// knows, then the judge. Writes every verdict as it comes, counts, keeps the budget, reports progress.
// Policies look here whether to go on.

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "evolution/model/strategy.h"
#include "evolution/search/batch_judge.h"
#include "evolution/search/tune.h"
#include "evolution/store/database.h"

namespace cupilot {

struct Evaluated {
  Individual individual;
  Verdict verdict;  ///< without samples: those stand in the run database; see whole_verdict
  std::uint64_t seed = 0;
  bool resumed = false;
};

/// What the search ranks by: the speed-up over the original, or its estimate where the executor is the CPU
/// (one search never has both); 0 for what was not correct or not timed.
double score(const Verdict &verdict);
/// Two scores of one run closer than this are not told apart.
double same_score(const TuneSettings &settings);

/// How near the nearest roof something timed is, 0..1: on the workload furthest from it the share of copy
/// bandwidth, or of the compute peak where counters say that one is nearer. 0: not known.
double roof_share(const Verdict &verdict);

/// "c0007": the names of a run's individuals, strategies and bundles sort as they were made.
std::string numbered_name(const std::string &prefix, std::size_t number);

struct Round {
  std::string name;  ///< "singles"
  std::vector<Individual> individuals;
  std::uint64_t seed = 0;
  bool profile = false;
  bool final = false;  ///< confirming: outside the budget
};

/// What the search is about; verdicts are looked up and kept under it.
struct SearchIdentity {
  std::string kernel;
  VerdictKey key;  ///< without variant and seed; the device may be empty: the first verdict tells it
  std::int64_t run = 0;
};

class Evaluator {
public:
  Evaluator(SearchIdentity identity, const TuneSettings &settings, const TuneCollaborators &with,
            BatchJudge &judge);

  /// In the order of the round's individuals; null where there is no verdict (stopped, budget spent). The
  /// pointers stay valid. Individuals without an id get the next one.
  Result<std::vector<const Evaluated *>> judge(Round round);

  /// The words of an individual's strategy once they were aligned to its code, and the questions that took;
  /// here and in the run database. `of` is one of all().
  Result<void> align(const Evaluated &of, const std::string &strategy_text,
                     const std::vector<std::int64_t> &calls);

  /// The verdict with its samples.
  Result<Verdict> whole_verdict(const Evaluated &of) const;

  /// A strategy no variant came of, as whoever translates said: for the report and the history.
  Result<void> refuse(const Strategy &strategy, const std::string &reason);
  struct Refused {
    Strategy strategy;
    std::string reason;
  };
  const std::vector<Refused> &refused() const { return refused_; }

  /// What a policy wants remembered beside rounds: a line of the run's events.
  Result<void> note(const std::string &kind, const std::string &text);

  /// Until it is lifted the search is done here already: a policy that runs others gives each its share of
  /// the budget. Counted as the budget is, from the start.
  struct Share {
    std::size_t candidates = 0;
    std::chrono::milliseconds wall{0};
  };
  void set_share(Share share) { share_ = share; }
  void lift_share() { share_.reset(); }
  /// Individuals that were given a name: what the budget's candidates count.
  std::size_t named() const { return named_; }

  /// Nothing more should be tried, and why. Looked at between rounds.
  bool done() const { return !done_because().empty(); }
  std::string done_because() const;
  bool interrupted() const { return with_.stop.load(); }
  /// The judge turned out to be another device than the one verdicts were looked up for.
  bool device_changed() const { return device_changed_; }
  const std::string &device() const { return identity_.key.device; }

  /// The best is so near its roof that models have nothing left to gain (TuneSettings::roof_goal).
  bool at_roof() const { return best_ != nullptr && roof_share(best_->verdict) >= settings_.roof_goal; }
  /// Of all verdicts of the run, resumed ones too: what the budget's GPU time counts.
  double gpu_seconds() const { return gpu_seconds_; }

  /// See same_score.
  double tie() const { return same_score(settings_); }
  const std::deque<Evaluated> &all() const { return evaluated_; }
  const Evaluated *best() const { return best_; }
  std::size_t judged() const { return judged_; }
  std::size_t resumed() const { return resumed_; }
  std::size_t duplicates() const { return duplicates_; }
  std::chrono::milliseconds elapsed() const { return with_.clock.now() - started_; }

private:
  using MemoKey = std::pair<std::string, std::uint64_t>;  ///< variant hash, seed
  class Intake;

  /// The round's individuals that are new to this search, told apart by whether the database has a verdict.
  struct Sorted {
    std::vector<std::pair<Individual, Verdict>> known;
    std::vector<Individual> fresh;
  };
  Result<Sorted> sort_out(Round &round, const std::vector<MemoKey> &keys);
  Result<void> keep_known(const std::vector<std::pair<Individual, Verdict>> &known, std::uint64_t seed);
  Result<void> judge_fresh(const Round &round, std::vector<Individual> fresh);
  Result<void> judge_batch(const Round &round, std::vector<Individual> individuals);
  void take(Individual individual, Verdict verdict, std::uint64_t seed, bool resumed);
  void note_device(const Verdict &verdict);
  bool may_go_on(bool final) const;
  std::size_t most_candidates() const;
  std::chrono::milliseconds most_wall() const;
  bool wall_spent() const { return elapsed() >= most_wall(); }
  bool gpu_spent() const;
  std::size_t batch_size(bool final) const;
  std::optional<std::chrono::milliseconds> time_left() const;

  SearchIdentity identity_;
  const TuneSettings &settings_;
  TuneCollaborators with_;
  BatchJudge &judge_;
  std::chrono::milliseconds started_, judging_{0};

  std::deque<Evaluated> evaluated_;
  std::map<MemoKey, const Evaluated *> memo_;
  const Evaluated *best_ = nullptr;
  std::size_t named_ = 0, judged_ = 0, resumed_ = 0, duplicates_ = 0;
  std::size_t rounds_ = 0, in_round_ = 0, round_size_ = 0;
  double gpu_seconds_ = 0;
  std::vector<Refused> refused_;
  bool device_changed_ = false, goal_reached_ = false;
  std::optional<Share> share_;
};

}  // namespace cupilot
