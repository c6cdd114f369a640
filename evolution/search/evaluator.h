// SPDX-License-Identifier: Apache-2.0
//
// Turns individuals into verdicts. Each variant is judged once: the evaluator first looks at what this search
// has judged, then at the run database, and only then asks the judge. It keeps everything judged and the best
// individual, and reports progress. Policies ask it whether to continue.

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
#include "evolution/search/allowance.h"
#include "evolution/search/batch_judge.h"
#include "evolution/search/score.h"
#include "evolution/search/tune.h"
#include "evolution/store/database.h"

namespace cupilot::search {

struct Evaluated {
  model::Individual individual;
  model::Verdict verdict;  ///< without its samples, which are in the run database; see whole_verdict
  std::uint64_t seed = 0;
  bool resumed = false;
};

/// "c0007". Numbered names of a run's individuals, strategies and bundles sort in the order of creation.
std::string numbered_name(const std::string &prefix, std::size_t number);

struct Round {
  std::string name;  ///< "singles"
  std::vector<model::Individual> individuals;
  std::uint64_t seed = 0;
  bool profile = false;
  bool final = false;  ///< confirms the winner: does not count against the budget
};

/// The subject of the search. Verdicts are looked up and stored under it.
struct SearchIdentity {
  std::string kernel;
  store::VerdictKey
      key;  ///< without variant and seed; the device may be empty until the first verdict names it
  std::int64_t run = 0;
};

class Evaluator {
public:
  Evaluator(SearchIdentity identity, const TuneSettings &settings, const TuneCollaborators &with,
            BatchJudge &judge);

  /// Verdicts in the order of the round's individuals. An entry is null if there is no verdict because the
  /// search was stopped or the budget is spent. The pointers stay valid. Individuals without an id get the
  /// next one.
  Result<std::vector<const Evaluated *>> judge(Round round);

  /// Stores the strategy text of an individual after alignment to its code, with the role calls that this
  /// took, in memory and in the run database. `of` is an element of all().
  Result<void> align(const Evaluated &of, const std::string &strategy_text,
                     const std::vector<std::int64_t> &calls);

  /// The verdict with its samples.
  Result<model::Verdict> whole_verdict(const Evaluated &of) const;

  /// Records a strategy that gave no variant, with the translator's reason, for the report and the history.
  Result<void> refuse(const model::Strategy &strategy, const std::string &reason);
  struct Refused {
    model::Strategy strategy;
    std::string reason;
  };
  const std::vector<Refused> &refused() const { return refused_; }

  /// Adds a line to the run's events: something a policy wants to record besides rounds.
  Result<void> note(const std::string &kind, const std::string &text);

  /// What this search has used of its budget and what is left.
  Allowance &allowance() { return allowance_; }
  const Allowance &allowance() const { return allowance_; }

  /// True when nothing more should be tried; done_because() gives the reason. Policies check it between
  /// rounds.
  bool done() const { return !done_because().empty(); }
  std::string done_because() const;
  bool interrupted() const { return with_.stop.load(); }
  /// The judge runs on another device than the one for which verdicts were looked up.
  bool device_changed() const { return device_changed_; }
  const std::string &device() const { return identity_.key.device; }

  /// The best individual is so close to its roof that models have nothing left to gain
  /// (TuneSettings::roof_goal).
  bool at_roof() const { return best_ != nullptr && roof_share(best_->verdict) >= settings_.roof_goal; }

  /// Scores closer than this count as equal; see same_score().
  double tie() const { return same_score(settings_); }
  const std::deque<Evaluated> &all() const { return evaluated_; }
  const Evaluated *best() const { return best_; }
  std::size_t judged() const { return allowance_.judged(); }
  std::size_t resumed() const { return allowance_.resumed(); }
  std::size_t duplicates() const { return duplicates_; }

private:
  using MemoKey = std::pair<std::string, std::uint64_t>;  ///< variant hash, seed

  /// The individuals of a round that are new to this search: those with a verdict in the database, and the
  /// others.
  struct Sorted {
    std::vector<std::pair<model::Individual, model::Verdict>> known;
    std::vector<model::Individual> fresh;
  };
  Result<Sorted> sort_out(Round &round, const std::vector<MemoKey> &keys);
  Result<void> keep_known(const std::vector<std::pair<model::Individual, model::Verdict>> &known,
                          std::uint64_t seed);
  Result<void> judge_fresh(const Round &round, std::vector<model::Individual> fresh);
  Result<void> judge_batch(const Round &round, std::vector<model::Individual> individuals);
  void take(model::Individual individual, model::Verdict verdict, std::uint64_t seed, bool resumed);
  void note_device(const model::Verdict &verdict);
  bool may_go_on(bool final) const;

  SearchIdentity identity_;
  const TuneSettings &settings_;
  TuneCollaborators with_;
  BatchJudge &judge_;
  Allowance allowance_;

  std::deque<Evaluated> evaluated_;
  std::map<MemoKey, const Evaluated *> memo_;
  const Evaluated *best_ = nullptr;
  std::size_t duplicates_ = 0, rounds_ = 0, in_round_ = 0, round_size_ = 0;
  std::vector<Refused> refused_;
  bool device_changed_ = false, goal_reached_ = false;
};

}  // namespace cupilot::search
