// SPDX-License-Identifier: Apache-2.0
//
// cupilot strategies: prints the pool and its results in this user's tunes; exports and imports them for
// other machines.

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/history/strategy_view.h"
#include "driver/cli/report/output.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/verbs.h"
#include "evolution/store/history.h"
#include "evolution/strategy/applicability.h"
#include "evolution/strategy/exchange.h"
#include "evolution/strategy/pool.h"
#include "evolution/strategy/strategy_text.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kStrategiesHelp = R"(Examples:
  cupilot strategies list --class memory-bound --arch sm_90
  cupilot strategies show row-in-registers
  cupilot strategies export lab.jsonl         # on one machine
  cupilot strategies import lab.jsonl         # on another: the next search uses its outcomes

A strategy is an optimisation in words. The shipped ones are text files (CUPILOT_STRATEGIES chooses another
folder of them); searches with a model add those that they invented. The outcome of each on every kernel, win or
failure, is stored in $CUPILOT_DATA, else $XDG_DATA_HOME/cupilot, else ~/.local/share/cupilot. Together with class
and features it decides what the next search tries first.)";

constexpr const char *kListHelp =
    R"(wins: how many of the measured tries were faster, with their median speed-up; estimates stand apart.
--arch leaves out what that architecture cannot run, and counts what was measured on it.
--json: {"cupilot_strategy_list":1,"strategies":[{"id","title","classes","features","architectures","gain",
  "rule","learned","wins","tries","median_speedup","estimated_wins","estimated_tries"}]})";

constexpr const char *kExportHelp =
    R"(JSON lines in a stable order: {"cupilot_strategies":1}, then learned strategies, then outcomes. Names of
kernels and reasons of verdicts are in it; --anonymous leaves both out (a kernel is then known by its hash).)";

constexpr const char *kImportHelp =
    R"(Every line is checked first: with one mistake nothing is imported. An outcome of the same strategy, kernel,
architecture and executor is replaced, and so is a learned strategy of the same id; shipped strategies are not.)";

struct StrategiesOptions {
  history::StrategyFilter filter;
  std::string id, file;
  bool json = false, anonymous = false;
};

/// Opens the shipped pool and the user's history; a missing history is not created.
struct Known {
  strategy::StrategyPool shipped, pool;
  std::vector<model::StrategyOutcome> outcomes;
  std::vector<std::string> learned;

  bool is_learned(const std::string &id) const { return shipped.find(id) == nullptr; }
  std::vector<model::StrategyOutcome> outcomes_of(const std::string &id) const {
    auto found = outcomes;
    std::erase_if(found, [&](const model::StrategyOutcome &one) { return one.strategy != id; });
    return found;
  }
};

fs::path history_path() {
  return store::user_data_folder() / "history.db";
}

Result<strategy::StrategyPool> load_shipped() {
  CUPILOT_TRY(folder, strategy::find_strategies());
  return strategy::StrategyPool::load(folder);
}

Result<Known> load_known() {
  Known known;
  CUPILOT_TRY(shipped, load_shipped());
  known.shipped = std::move(shipped);
  std::error_code ignored;
  if (fs::exists(history_path(), ignored)) {
    CUPILOT_TRY(history, store::History::open(history_path()));
    CUPILOT_TRY(outcomes, history.outcomes());
    CUPILOT_TRY(learned, history.strategies());
    known.outcomes = std::move(outcomes);
    known.learned = std::move(learned);
  }
  auto joined = known.shipped.with(known.learned);
  for (const std::string &why : joined.left_out) log::warning("left out: " + why);
  known.pool = std::move(joined.pool);
  return known;
}

Result<void> check_filter(const history::StrategyFilter &filter, const strategy::StrategyPool &pool) {
  if (!filter.roofline_class.empty() && !strategy::is_roofline_class(filter.roofline_class))
    return user_error(
        "unknown class '" + filter.roofline_class + "'; " +
        text::suggestion(filter.roofline_class, {"memory-bound", "compute-bound", "latency-bound"}));
  if (!filter.architecture.empty() && !strategy::architecture_number(filter.architecture))
    return user_error("'" + filter.architecture + "' is not an architecture; write it like sm_90");
  std::set<std::string> features;
  for (const model::Strategy &one : pool.strategies())
    features.insert(one.features.begin(), one.features.end());
  if (!filter.feature.empty() && !features.contains(filter.feature))
    return user_error("no strategy is for the feature '" + filter.feature + "'; " +
                      text::suggestion(filter.feature, {features.begin(), features.end()}));
  return {};
}

Result<int> list(const StrategiesOptions &options) {
  CUPILOT_TRY(known, load_known());
  CUPILOT_CHECKED(check_filter(options.filter, known.pool));
  std::vector<history::StrategyRow> rows;
  for (const model::Strategy &one : known.pool.strategies()) {
    if (!history::fits(one, options.filter)) continue;
    rows.push_back(history::row_of(one, known.outcomes, options.filter.architecture));
    rows.back().learned = known.is_learned(one.id);
  }
  CUPILOT_CHECKED(options.json ? report::print(history::strategies_json(rows))
                               : report::print(history::strategies_text(rows)));
  return 0;
}

Result<int> show(const StrategiesOptions &options) {
  CUPILOT_TRY(known, load_known());
  const model::Strategy *strategy = known.pool.find(options.id);
  if (strategy == nullptr) {
    std::vector<std::string> ids;
    for (const model::Strategy &one : known.pool.strategies()) ids.push_back(one.id);
    const auto near = closest(options.id, ids);
    return user_error(
        "there is no strategy '" + options.id + "'; " +
        (near.empty() ? "'cupilot strategies list' lists them all" : "did you mean '" + near + "'?"));
  }
  const auto outcomes = known.outcomes_of(options.id);
  CUPILOT_CHECKED(
      options.json ? report::print(history::strategy_json(*strategy, known.is_learned(options.id), outcomes))
                   : report::print(history::strategy_text(*strategy, outcomes)));
  return 0;
}

std::string told(std::size_t count, const char *one, const char *many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

Result<int> export_to(const StrategiesOptions &options) {
  CUPILOT_TRY(known, load_known());
  if (options.anonymous)
    for (model::StrategyOutcome &one : known.outcomes) one.kernel.clear(), one.reason.clear();
  const std::string lines = strategy::to_lines({known.outcomes, known.learned});
  if (options.file == "-") {
    CUPILOT_CHECKED(report::print_exactly(lines));
    return 0;
  }
  CUPILOT_CHECKED(write_file_atomic(options.file, lines));
  const auto learned = known.pool.strategies().size() - known.shipped.strategies().size();
  CUPILOT_CHECKED(report::print(told(known.outcomes.size(), "outcome", "outcomes") + " and " +
                                told(learned, "learned strategy", "learned strategies") + " to " +
                                options.file + "\n"));
  return 0;
}

/// How many entries were imported, and how many of them replaced others.
struct Taken {
  std::size_t count = 0, replaced = 0;
};

Result<Taken> take_strategies(const std::vector<std::string> &texts, const strategy::StrategyPool &shipped,
                              store::History &history) {
  CUPILOT_TRY(before, history.strategies());
  std::set<std::string> known;
  for (const std::string &text : before) known.insert(strategy::parse_strategy(text, "").strategy.id);
  Taken taken;
  for (const std::string &text : texts) {
    const std::string id = strategy::parse_strategy(text, "").strategy.id;
    if (shipped.find(id) != nullptr) {
      log::note("strategy '" + id + "' ships with cupilot and was not imported");
      continue;
    }
    CUPILOT_CHECKED(history.keep_strategy(id, text));
    ++taken.count, taken.replaced += known.contains(id);
  }
  return taken;
}

Result<Taken> take_outcomes(const std::vector<model::StrategyOutcome> &outcomes, store::History &history) {
  CUPILOT_TRY(before, history.outcomes());
  std::set<strategy::OutcomeKey> known;
  for (const model::StrategyOutcome &one : before) known.insert(strategy::key_of(one));
  CUPILOT_CHECKED(history.add(outcomes));
  Taken taken{.count = outcomes.size()};
  for (const model::StrategyOutcome &one : outcomes) taken.replaced += known.contains(strategy::key_of(one));
  return taken;
}

std::string told(const Taken &taken, const char *one, const char *many) {
  return told(taken.count, one, many) +
         (taken.replaced > 0 ? fmt::format(" ({} replaced)", taken.replaced) : "");
}

Result<int> import_from(const StrategiesOptions &options) {
  auto text = read_file(options.file);
  if (!text) return user_error(text.error().message);
  const strategy::ParsedExchange parsed = strategy::parse_exchange(*text, options.file);
  for (const Diagnostic &diagnostic : parsed.diagnostics) log::print(render(diagnostic));
  if (!parsed.diagnostics.empty())
    return user_error("importing " + options.file + ": nothing was imported, because of " +
                      told(parsed.diagnostics.size(), "mistake", "mistakes"));
  CUPILOT_TRY(shipped, load_shipped());
  CUPILOT_TRY(history, store::History::open(history_path()));
  CUPILOT_TRY(strategies, take_strategies(parsed.exchange.strategies, shipped, history));
  CUPILOT_TRY(outcomes, take_outcomes(parsed.exchange.outcomes, history));
  const report::Json json = {{"cupilot_strategies_import", 1},
                             {"outcomes", outcomes.count},
                             {"outcomes_replaced", outcomes.replaced},
                             {"strategies", strategies.count},
                             {"strategies_replaced", strategies.replaced},
                             {"history", history_path().string()}};
  CUPILOT_CHECKED(options.json ? report::print(json)
                               : report::print("imported " + told(outcomes, "outcome", "outcomes") + " and " +
                                               told(strategies, "learned strategy", "learned strategies") +
                                               " into " + history_path().string() + "\n"));
  return 0;
}

void add_list_options(CLI::App &command, StrategiesOptions &options) {
  command.footer(kListHelp);
  command.add_option("--class", options.filter.roofline_class, "Only strategies for this roofline class")
      ->type_name("CLASS");
  command.add_option("--arch", options.filter.architecture, "Only strategies that this architecture can run")
      ->type_name("SM");
  command.add_option("--feature", options.filter.feature, "Only strategies for kernels with this feature")
      ->type_name("WORD");
}

}  // namespace

Verb add_strategies(CLI::App &app) {
  const auto options = std::make_shared<StrategiesOptions>();
  using Action = Result<int> (*)(const StrategiesOptions &);
  auto *command = app.add_subcommand(
      "strategies", "Show the strategies that searches choose from, and their results so far");
  command->footer(kStrategiesHelp);
  command->require_subcommand(1);
  std::vector<std::pair<CLI::App *, Action>> actions;
  const auto add = [&](const char *name, const char *what, Action action) -> CLI::App & {
    actions.emplace_back(command->add_subcommand(name, what), action);
    return *actions.back().first;
  };
  auto &listing = add("list", "List all strategies, one per line", list);
  add_list_options(listing, *options);
  auto &showing = add("show", "Show one strategy in full, with its outcomes", show);
  showing.add_option("id", options->id, "The id of the strategy, as 'list' prints it")
      ->required()
      ->type_name("ID");
  auto &exporting = add("export", "Write the history and learned strategies to a file", export_to);
  exporting.footer(kExportHelp);
  exporting.add_option("file", options->file, "The file to write; - for stdout")
      ->required()
      ->type_name("FILE");
  exporting.add_flag("--anonymous", options->anonymous, "Leave out names of kernels and reasons of verdicts");
  auto &importing = add("import", "Import a file that export wrote elsewhere", import_from);
  importing.footer(kImportHelp);
  importing.add_option("file", options->file, "The file to import")->required()->type_name("FILE");
  for (auto *one : {&listing, &showing, &importing}) one->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options, actions](const auto &) -> Result<int> {
            const auto chosen =
                std::ranges::find_if(actions, [](const auto &one) { return one.first->parsed(); });
            CUPILOT_CHECK(chosen != actions.end());
            return chosen->second(*options);
          }};
}

}  // namespace cupilot::cli
