// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/tune_session.h"

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/executors.h"
#include "driver/cli/located.h"
#include "driver/cli/programs.h"
#include "driver/cli/progress_printer.h"
#include "evolution/provider/builtin.h"
#include "evolution/store/database.h"
#include "evolution/strategy/pool.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kDatabase = "run.db";
constexpr const char *kBundles = "bundles";

Result<Database> open_database(const fs::path &run_folder) {
  auto database = Database::open(run_folder / kDatabase);
  if (database) return database;
  auto error = database.error();
  error.message += "; --fresh starts over and keeps the old one as " + std::string(kDatabase) + ".old";
  return std::unexpected(error);
}

Result<StrategyPool> load_pool() {
  CUPILOT_TRY(folder, find_strategies());
  return StrategyPool::load(folder);
}

/// From the record root, with everything that decides what is found.
std::string repeating_command(const ProjectKernel &kernel, const SessionSettings &settings) {
  return "cupilot tune " + shell_quote(path_from_root(kernel, settings.build)) + " --kernel " +
         kernel.spec.name + (settings.tune.estimates ? " --executor cpu" : "") + " --arch " +
         settings.tune.architecture + " --seed " + std::to_string(settings.tune.seed) + " --candidates " +
         std::to_string(settings.tune.budget.candidates) + waiver_words(settings.tune.waived);
}

Result<Publication> publish_outcome(const ProjectKernel &kernel, const TuneOutcome &outcome,
                                    const JudgedIndividual &winner, const SessionSettings &settings) {
  Provenance provenance;
  provenance.architecture = outcome.architecture;
  provenance.policy = outcome.policy;
  provenance.toolchain = settings.toolchain;
  provenance.command = repeating_command(kernel, settings);
  provenance.seed = outcome.seed;
  provenance.waived = settings.tune.waived;
  return publish_winner(kernel, {winner.individual, winner.verdict, outcome.cases}, provenance);
}

TuneEntry tune_one(const ProjectKernel &kernel, const SessionSettings &settings, Tuner &tuner) {
  TuneEntry entry;
  entry.kernel = kernel;
  entry.architecture = settings.tune.architecture;
  auto outcome = tuner.tune_kernel(kernel.spec);
  if (!outcome) {
    // Everything here names the kernel already.
    const auto prefix = "tuning " + kernel.spec.name + ": ";
    const auto &message = outcome.error().message;
    entry.error = message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    if (outcome.error().blame == Blame::user) entry.refused = located(outcome.error(), kernel.spec);
    return entry;
  }
  if (outcome->winner && settings.publish) {
    auto publication = publish_outcome(kernel, *outcome, *outcome->winner, settings);
    if (publication)
      entry.publication = std::move(*publication);
    else
      entry.error = "publishing: " + publication.error().message;
  }
  entry.outcome = std::move(*outcome);
  return entry;
}

}  // namespace

Result<std::vector<TuneEntry>> tune_kernels(const std::vector<ProjectKernel> &kernels,
                                            const SessionSettings &settings, Executor &executor,
                                            Progress &progress, const std::atomic<bool> &stop) {
  CUPILOT_TRY(annotate, find_annotate());
  CUPILOT_TRY(pool, load_pool());
  CUPILOT_TRY(database, open_database(settings.run_folder));
  BuiltinProvider provider({annotate.string()});
  const SteadyClock clock;
  auto tune_settings = settings.tune;
  tune_settings.bundles = settings.run_folder / kBundles;
  Tuner tuner(tune_settings, {database, executor, provider, pool, clock, progress, stop});

  std::vector<TuneEntry> entries;
  for (const auto &kernel : kernels) {
    if (stop) {
      TuneEntry entry;
      entry.kernel = kernel;
      entry.architecture = settings.tune.architecture;
      entries.push_back(std::move(entry));
      continue;
    }
    entries.push_back(tune_one(kernel, settings, tuner));
    if (entries.back().error.empty()) continue;
    clear_rewritten_line();
    if (entries.back().refused)
      std::fputs(render(*entries.back().refused).c_str(), stderr);
    else
      log::error(kernel.spec.name + ": " + entries.back().error);
  }
  return entries;
}

Result<void> put_aside(const fs::path &run_folder) {
  for (const std::string name : {"run.db", "run.db-wal", "run.db-shm", kBundles}) {
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

}  // namespace cupilot::cli
