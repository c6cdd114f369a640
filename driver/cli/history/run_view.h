// SPDX-License-Identifier: Apache-2.0
//
// A stored run as `cupilot log` and `show` present it: each individual once with its verdict and its
// confirmation, the lineage as a tree, the results of each strategy and the cost of each role. The run
// database is only read.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/fields.h"
#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/store/database.h"

namespace cupilot::cli::history {

/// The totals of one model in one role.
struct RoleTotal {
  std::string role, provider, model;
  std::size_t questions = 0;
  std::size_t failed = 0;   ///< no answer, or one that could not be read
  std::size_t pending = 0;  ///< asked without a known answer; their cost is counted at its maximum
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double usd = 0, seconds = 0;
};
constexpr auto fields_of(const RoleTotal *) {
  using S = RoleTotal;
  return fields(field("role", &S::role), field("provider", &S::provider), field("model", &S::model),
                field("questions", &S::questions), field("failed", &S::failed), field("pending", &S::pending),
                field("tokens_in", &S::tokens_in), field("tokens_cached", &S::tokens_cached),
                field("tokens_out", &S::tokens_out), field("usd", &S::usd), field("seconds", &S::seconds));
}
/// Sorted by the first question. Built-in rules are left out because they cost nothing.
std::vector<RoleTotal> role_totals(const std::vector<store::RoleCall> &calls);

struct IndividualView {
  model::Individual individual;
  std::string ordered_text;  ///< the strategy's text before it was aligned to the code
  std::string bundle;
  std::optional<model::Verdict> verdict;       ///< the verdict of the search
  std::optional<model::Verdict> confirmation;  ///< the verdict of the last stage, on fresh data
  std::string repair_of;  ///< the id of the failed individual that this one repairs (same strategy)
  bool repaired = false;  ///< another individual repairs this one
  int fixes = 0;          ///< number of line edits that were needed
  double usd = 0;         ///< cost of the questions that led to it, those of earlier tries included
  long long tokens = 0;
  double predicted = 0;  ///< the speed-up over its base that the strategy predicted; 0: none
  double observed = 0;   ///< speed-up or estimate over its base; 0: not timed
};

/// The score that is printed: the speed-up, or the CPU's estimate; 0 when nothing was timed.
double score_of(const std::optional<model::Verdict> &verdict);

struct LineageRow {
  const IndividualView *one;
  std::string branch;  ///< "│  └─ ", drawn before the id
};

struct StrategyView {
  std::string id, title;
  std::size_t tried = 0, correct = 0, faster = 0;  ///< an individual and its repairs count as one
  double best = 0;  ///< speed-up over the original, of the best individual that uses the strategy
  double predicted = 0;
  double observed = 0;  ///< best speed-up over the base, of the individuals whose last strategy it is
};

struct RunView {
  store::StoredRun run;
  std::vector<IndividualView> individuals;  ///< in the order in which they were stored
  std::vector<store::RoleCall> calls;
  std::vector<store::StoredEvent> events;
};

/// Opens a build folder's run database; the error for a missing one says how it is made.
Result<store::Database> open_run_database(const std::filesystem::path &run_folder);
Result<RunView> view_of(const store::Database &database, const store::StoredRun &run);

/// The tree with every individual once: a repair below the individual that failed, the others below their
/// first parent.
std::vector<LineageRow> lineage(const RunView &run);
/// Best first.
std::vector<StrategyView> strategies_of(const RunView &run);

/// The title of a strategy: the first line of its text that has content.
std::string strategy_title(const std::string &strategy_text);
/// Parses the text form that follows the title (strategy_text.h). Fields that a strategy of the pool must
/// have may be missing, because a strategy made in a run need not have them. nullopt when there is no such
/// form.
std::optional<model::Strategy> strategy_in(const std::string &strategy_text);

}  // namespace cupilot::cli::history
