// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune/tune_session.h"

#include <algorithm>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/history/run_view.h"
#include "driver/cli/history/tune_history.h"
#include "driver/cli/project/annotation.h"
#include "driver/cli/project/located.h"
#include "driver/cli/run/budget.h"
#include "driver/cli/run/executors.h"
#include "evolution/provider/providers.h"
#include "evolution/search/search.h"
#include "evolution/store/database.h"
#include "evolution/strategy/pool.h"

namespace cupilot::cli::tune {
namespace {

namespace fs = std::filesystem;

constexpr const char *kDatabase = "run.db";
constexpr const char *kBundles = "bundles";

Result<store::Database> open_database(const fs::path &run_folder) {
  auto database = store::Database::open(run_folder / kDatabase);
  if (database) return database;
  auto error = database.error();
  error.message += "; --fresh starts over and keeps the old one as " + std::string(kDatabase) + ".old";
  return std::unexpected(error);
}

Result<strategy::StrategyPool> load_pool() {
  CUPILOT_TRY(folder, strategy::find_strategies());
  return strategy::StrategyPool::load(folder);
}

/// The build folder relative to the record root. A folder elsewhere is written as BUILD, because its path is
/// only valid on this machine.
std::string build_folder_words(const project::ProjectKernel &kernel, const SessionSettings &settings) {
  const auto path = records::path_from_root(kernel, settings.build);
  return path.starts_with("..") ? "BUILD" : shell_quote(path);
}

/// The command with all options that affect the result.
std::string repeating_command(const project::ProjectKernel &kernel, const SessionSettings &settings) {
  return "cupilot tune " + build_folder_words(kernel, settings) + " --kernel " + kernel.spec.name +
         (settings.tune.estimates ? " --executor cpu" : "") + " --arch " + settings.tune.architecture +
         " --seed " + std::to_string(settings.tune.seed) + " --candidates " +
         std::to_string(settings.tune.budget.candidates) + settings.model_words +
         run::waiver_words(settings.tune.waived);
}

/// The record's strategies by names that are known outside the run: the run's own by their titles.
model::Individual as_published(model::Individual winner) {
  if (!history::strategy_in(winner.strategy_text)) return winner;
  winner.strategy_text = history::strategy_title(winner.strategy_text);
  winner.strategies = {winner.strategy_text};
  return winner;
}

Result<records::Publication> publish_outcome(const project::ProjectKernel &kernel,
                                             const search::TuneOutcome &outcome,
                                             const search::JudgedIndividual &winner,
                                             const SessionSettings &settings) {
  record::Provenance provenance;
  provenance.architecture = outcome.architecture;
  provenance.policy = outcome.policy;
  provenance.toolchain = settings.toolchain;
  provenance.command = repeating_command(kernel, settings);
  provenance.seed = outcome.seed;
  provenance.waived = settings.tune.waived;
  provenance.cost_usd = outcome.spent.usd;
  provenance.tokens = outcome.spent.tokens();
  const auto individual = as_published(winner.individual);
  return records::publish_winner(kernel, {individual, winner.verdict, outcome.cases}, provenance);
}

/// What all kernels of a session are tuned with.
struct Session {
  const SessionSettings &settings;
  const provider::Providers &providers;
  store::Database &database;
  run::TuneDisplay &display;
};

store::RunInfo info_of(const Session &session, const spec::KernelSpec &spec) {
  return search::run_info(spec, session.settings.tune, session.providers,
                          session.settings.recorded != nullptr);
}

/// The run of this kernel with these settings, when it was begun before.
Result<std::optional<store::StoredRun>> find_run(const Session &session, const spec::KernelSpec &spec) {
  CUPILOT_TRY(runs, session.database.runs());
  const auto asked = info_of(session, spec);
  const auto found = std::ranges::find_if(runs.rbegin(), runs.rend(), [&](const store::StoredRun &run) {
    const auto &info = run.info;
    return info.kernel == asked.kernel && info.kernel_id == asked.kernel_id &&
           info.workload_id == asked.workload_id && info.architecture == asked.architecture &&
           info.executor == asked.executor && info.policy == asked.policy && info.options == asked.options &&
           info.seed == asked.seed;
  });
  return found == runs.rend() ? std::nullopt : std::optional(*found);
}

Result<provider::Spending> spent_on(const Session &session, const spec::KernelSpec &spec) {
  CUPILOT_TRY(run, find_run(session, spec));
  if (!run) return provider::Spending();
  CUPILOT_TRY(spent, session.database.role_spending(run->id));
  return provider::Spending{.tokens_in = spent.tokens_in,
                            .tokens_cached = spent.tokens_cached,
                            .tokens_out = spent.tokens_out,
                            .usd = spent.price_usd};
}

/// The budget of the kernel at `position`; it is also passed to the display.
Result<search::Budget> budget_of(const Session &session, const std::vector<project::ProjectKernel> &kernels,
                                 std::size_t position) {
  provider::Spending all, own;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    CUPILOT_TRY(spent, spent_on(session, kernels[i].spec));
    all += spent;
    if (i == position) own = spent;
  }
  const auto &budget = session.settings.tune.budget;
  const auto mine = session.settings.share_models_budget
                        ? run::share_of(budget, all, own, kernels.size() - position)
                        : budget;
  if (session.providers.has_model()) session.display.model_budget(own, mine);
  return mine;
}

/// What models cost, and the titles of the strategies they came up with.
Result<void> add_models(TuneEntry &entry, const Session &session) {
  CUPILOT_TRY(run, find_run(session, entry.kernel.spec));
  if (!run) return {};
  CUPILOT_TRY(view, history::view_of(session.database, *run));
  entry.roles = history::role_totals(view.calls);
  for (const auto &one : view.individuals)
    if (const auto &ids = one.individual.strategies;
        ids.size() == 1 && history::strategy_in(one.individual.strategy_text))
      entry.titles[ids[0]] = history::strategy_title(one.individual.strategy_text);
  return {};
}

TuneEntry entry_of(const project::ProjectKernel &kernel, const SessionSettings &settings) {
  TuneEntry entry;
  entry.kernel = kernel;
  entry.architecture = settings.tune.architecture;
  return entry;
}

void publish_into(TuneEntry &entry, const SessionSettings &settings) {
  if (!entry.outcome || !entry.outcome->winner || !settings.publish) return;
  auto publication = publish_outcome(entry.kernel, *entry.outcome, *entry.outcome->winner, settings);
  if (publication)
    entry.publication = std::move(*publication);
  else
    entry.error = "publishing: " + publication.error().message;
}

TuneEntry tune_one(const project::ProjectKernel &kernel, const Session &session, search::Tuner &tuner) {
  auto entry = entry_of(kernel, session.settings);
  auto outcome = tuner.tune_kernel(kernel.spec);
  if (!outcome) {
    // The output names the kernel already.
    const auto prefix = "tuning " + kernel.spec.name + ": ";
    const auto &message = outcome.error().message;
    entry.error = message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    if (outcome.error().blame == Blame::user) entry.refused = project::located(outcome.error(), kernel.spec);
    return entry;
  }
  entry.outcome = std::move(*outcome);
  publish_into(entry, session.settings);
  if (!session.providers.has_model()) return entry;
  if (const auto added = add_models(entry, session); !added)
    log::warning("reading the costs of the models: " + added.error().message);
  return entry;
}

void report_error(const TuneEntry &entry) {
  run::clear_rewritten_line();
  if (entry.refused)
    log::print(render(*entry.refused));
  else
    log::error(entry.kernel.spec.name + ": " + entry.error);
}

}  // namespace

Result<std::vector<TuneEntry>> tune_kernels(const std::vector<project::ProjectKernel> &kernels,
                                            const SessionSettings &settings,
                                            judge::bundle::Executor &executor,
                                            const provider::Providers &providers, run::TuneDisplay &display,
                                            const std::atomic<bool> &stop) {
  auto history = history::TuneHistory::open();
  CUPILOT_TRY(shipped, load_pool());
  CUPILOT_TRY(database, open_database(settings.run_folder));
  const Session session{settings, providers, database, display};
  const search::SteadyClock clock;
  auto tune_settings = settings.tune;
  tune_settings.bundles = settings.run_folder / kBundles;

  std::vector<TuneEntry> entries;
  for (const auto &kernel : kernels) {
    if (stop) {
      entries.push_back(entry_of(kernel, settings));
      continue;
    }
    CUPILOT_TRY(budget, budget_of(session, kernels, entries.size()));
    tune_settings.budget = budget;
    const auto known =
        settings.history
            ? *settings.history
            : history.at_begin_of(history::history_file(settings.run_folder, info_of(session, kernel.spec)));
    const auto pool = history::joined(shipped, known);
    search::Tuner tuner(tune_settings, {database, executor, providers, pool, clock, display, stop,
                                        known.outcomes, settings.recorded, project::facts_of_variant});
    entries.push_back(tune_one(kernel, session, tuner));
    if (!entries.back().error.empty()) report_error(entries.back());
    if (const auto &outcome = entries.back().outcome; outcome && !settings.history)
      history.keep(*outcome, pool);
  }
  return entries;
}

Result<void> put_aside(const fs::path &run_folder) {
  for (const std::string name : {"run.db", "run.db-wal", "run.db-shm", kBundles, history::kHistories}) {
    // SQLite looks for the log beside the database under the database's name.
    const auto suffix = name.find('-') == std::string::npos ? "" : name.substr(name.find('-'));
    const auto aside = run_folder / (name.substr(0, name.find('-')) + ".old" + suffix);
    std::error_code failed, ignored;
    fs::remove_all(aside, failed);
    if (!failed && fs::exists(run_folder / name, ignored)) fs::rename(run_folder / name, aside, failed);
    if (failed) return fail("cannot put '" + (run_folder / name).string() + "' aside: " + failed.message());
  }
  return {};
}

}  // namespace cupilot::cli::tune
