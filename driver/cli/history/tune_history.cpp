// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/history/tune_history.h"

#include <algorithm>
#include <cctype>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/history/run_view.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::cli::history {
namespace {

constexpr std::size_t kMostIdWords = 40;

/// "One warp per row, 128-bit" -> "one-warp-per-row-128-bit"
std::string as_id(const std::string &title) {
  std::string id;
  for (const unsigned char c : title.substr(0, kMostIdWords)) {
    if (std::isalnum(c))
      id += static_cast<char>(std::tolower(c));
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (id.ends_with('-')) id.pop_back();
  return id.empty() ? "strategy" : id;
}

/// Fills in the fields that a strategy of the pool must have and one made in a run need not have.
void complete(model::Strategy &strategy, const search::TuneOutcome &outcome) {
  for (const auto &one : outcome.outcomes)
    if (strategy.roofline_classes.empty() && !one.roofline_class.empty())
      strategy.roofline_classes = {one.roofline_class};
  if (strategy.roofline_classes.empty()) strategy.roofline_classes = {"memory-bound", "compute-bound"};
  if (strategy.expected_effect.empty()) strategy.expected_effect = "was faster where it was found";
  if (strategy.risk.empty()) strategy.risk = "not known";
  if (strategy.check.empty()) strategy.check = "judged by cupilot where it was found";
  strategy.gain = std::max(1.0, model::overall_speedup(outcome.winner.value().verdict));
  strategy.evidence = {outcome.kernel + " on " + outcome.device.name};
}

void warn(const char *doing, const Error &error) {
  log::warning(std::string(doing) + " the history of strategies: " + error.message +
               "; this run of tune continues without it");
}

}  // namespace

TuneHistory TuneHistory::open() {
  TuneHistory history;
  auto opened = store::History::open(store::user_data_folder() / "history.db");
  if (opened)
    history.history_ = std::move(*opened);
  else
    warn("opening", opened.error());
  return history;
}

KnownHistory TuneHistory::at_begin_of(const std::filesystem::path &snapshot) const {
  if (const auto text = read_file(snapshot))
    if (auto known = known_history_from_json(*text)) return std::move(*known);
  KnownHistory now;
  if (history_) {
    auto outcomes = history_->outcomes();
    auto learned = history_->strategies();
    if (!outcomes || !learned) {
      warn("reading", outcomes ? learned.error() : outcomes.error());
    } else {
      now.outcomes = std::move(*outcomes);
      now.learned = std::move(*learned);
    }
  }
  if (auto written = write_file_atomic(snapshot, to_json(now)); !written) warn("keeping", written.error());
  return now;
}

strategy::StrategyPool joined(const strategy::StrategyPool &pool, const KnownHistory &known) {
  auto with = pool.with(known.learned);
  for (const auto &why : with.left_out)
    if (log::debug_on()) log::debug("learned strategy left out: " + why);
  return std::move(with.pool);
}

std::filesystem::path history_file(const std::filesystem::path &run_folder, const store::RunInfo &run) {
  const auto search = join({run.kernel, run.kernel_id, run.workload_id, run.architecture, run.executor,
                            run.policy, run.options, std::to_string(run.seed)},
                           "\n");
  return run_folder / kHistories / (sha256(search).substr(0, 16) + ".json");
}

void TuneHistory::keep(const search::TuneOutcome &outcome, const strategy::StrategyPool &pool) {
  if (!history_) return;
  auto outcomes = outcome.outcomes;
  const auto learned = learned_strategy(outcome, pool);
  if (learned) {
    for (auto &one : outcomes)
      if (one.strategy == outcome.winner.value().individual.strategies[0]) one.strategy = learned->id;
    if (auto kept = history_->keep_strategy(learned->id, strategy::to_text(*learned)); !kept)
      warn("writing", kept.error());
  }
  // Outcomes of strategies that exist only in this run are of no use later.
  std::erase_if(outcomes, [&](const model::StrategyOutcome &one) {
    return !pool.find(one.strategy) && (!learned || one.strategy != learned->id);
  });
  if (auto added = history_->add(outcomes); !added) warn("writing", added.error());
}

std::optional<model::Strategy> learned_strategy(const search::TuneOutcome &outcome,
                                                const strategy::StrategyPool &pool) {
  if (!outcome.winner) return std::nullopt;
  const auto &winner = outcome.winner->individual;
  if (winner.strategies.size() != 1 || pool.find(winner.strategies[0])) return std::nullopt;
  auto made = strategy_in(winner.strategy_text);
  if (!made || made->title.empty() || made->steps.empty()) return std::nullopt;
  model::Strategy strategy = std::move(*made);
  complete(strategy, outcome);
  strategy.id = as_id(strategy.title) + "-" + sha256(outcome.kernel_id + winner.strategy_text).substr(0, 8);
  // Ids of the run are not valid outside of it.
  std::erase_if(strategy.conflicts, [&](const std::string &id) { return !pool.find(id); });
  std::erase_if(strategy.parents, [&](const std::string &id) { return !pool.find(id); });
  return strategy;
}

}  // namespace cupilot::cli::history
