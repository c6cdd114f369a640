// SPDX-License-Identifier: Apache-2.0
//
// A stored run as people ask about it: each individual once with its verdict and its confirmation, the
// lineage as a tree, what each strategy gave, what each role cost. Reads the run database and writes nothing
// into it.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/store/database.h"

namespace cupilot::cli {

/// One model in one role.
struct RoleTotal {
  std::string role, provider, model;
  std::size_t questions = 0;
  std::size_t failed = 0;   ///< no answer, or one that could not be read
  std::size_t pending = 0;  ///< asked, and nobody knows what became of it: counted at their most
  long long tokens_in = 0, tokens_cached = 0, tokens_out = 0;
  double usd = 0, seconds = 0;
};
/// In the order first asked. Built-in rules are not among them: they cost nothing.
std::vector<RoleTotal> role_totals(const std::vector<RoleCall> &calls);

struct IndividualView {
  Individual individual;
  std::string ordered_text;  ///< the strategy's text before it was aligned to the code
  std::string bundle;
  std::optional<Verdict> verdict;       ///< of the search
  std::optional<Verdict> confirmation;  ///< with the last stage, on fresh data
  std::string repair_of;                ///< the try before it: same order, and it failed
  bool repaired = false;                ///< another one is its repair
  int fixes = 0;                        ///< line edits it took
  double usd = 0;                       ///< of the questions it came of, earlier tries' too
  long long tokens = 0;
  double predicted = 0;  ///< the strategy's own promise over its base; 0: none
  double observed = 0;   ///< speed-up or estimate over its base; 0: not timed
};

/// The score people see: speed-up, or the estimate on the CPU; 0 when nothing was timed.
double score_of(const std::optional<Verdict> &verdict);

struct LineageRow {
  const IndividualView *one;
  std::string branch;  ///< "│  └─ ", drawn before the id
};

struct StrategyView {
  std::string id, title;
  std::size_t tried = 0, correct = 0, faster = 0;  ///< repairs count with what they repair
  double best = 0;  ///< speed-up over the original of the best individual it stands in
  double predicted = 0;
  double observed = 0;  ///< over the base, the best of the individuals where it came last
};

struct RunView {
  StoredRun run;
  std::vector<IndividualView> individuals;  ///< in the order written
  std::vector<RoleCall> calls;
  std::vector<StoredEvent> events;
};

/// Of a build folder's run database; an error says how one comes to be.
Result<Database> open_run_database(const std::filesystem::path &run_folder);
Result<RunView> view_of(const Database &database, const StoredRun &run);

/// Every individual once: a repair below the try that failed, the others below their first parent.
std::vector<LineageRow> lineage(const RunView &run);
/// Best first.
std::vector<StrategyView> strategies_of(const RunView &run);

/// The first line of a strategy's text that says something: its title.
std::string strategy_title(const std::string &strategy_text);
/// The text form behind that line (strategy_text.h), read leniently: a strategy made in a run need not say
/// all that one of the pool does. Nothing where there is no such form.
std::optional<Strategy> strategy_in(const std::string &strategy_text);

}  // namespace cupilot::cli
