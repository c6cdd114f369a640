// SPDX-License-Identifier: Apache-2.0
//
// cupilot log, cupilot show: print what the searches of a build folder did, from the run database. They also
// work while a tune is running there.

#include <fmt/format.h>
#include <algorithm>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/history/log_report.h"
#include "driver/cli/history/tune_history.h"
#include "driver/cli/project/build_folder.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/verbs.h"
#include "evolution/search/recording_of.h"

namespace cupilot::cli {
namespace {

constexpr const char *kLogHelp =
    R"(For each search of this build folder: individuals as a tree (below the parent they were made from) with verdict,
speed-up, repairs and cost; what each strategy achieved, predicted and observed; what each role cost.
--export FILE writes a recording of the last search of --kernel: questions, answers and verdicts, one JSON object
per line. 'cupilot tune --replay FILE --executor replay:FILE' runs it again without a model or a GPU.
--json: {"cupilot_log":1,"runs":[{"kernel","policy","outcome","individuals":[{"id","parents","strategies","verdict",
  "speedup","fixes","usd",...}],"strategies":[{"id","tried","correct","faster","best","predicted","observed"}],
  "roles":[{"role","model","questions","tokens_in","tokens_out","usd",...}],"events":[...]}]})";

constexpr const char *kShowHelp =
    R"(ID as 'cupilot log' lists it, like c0007: verdict with its reason, measurements, the strategy before and after it
was aligned to the code, the difference to the parent (or the original), every question and answer that led to it.
--json: {"cupilot_show":1,"id","kernel","strategy","strategy_ordered","variant","base","diff","verdict":{...},
  "questions":[{"role","prompt","answer","tokens_in","tokens_out","usd",...}],...})";

struct LogOptions {
  std::string build, kernel, id, recording;
  bool json = false;
};

Result<project::BuildFolder> build_of(const LogOptions &options) {
  std::vector<std::string> inputs;
  if (!options.build.empty()) inputs.push_back(options.build);
  CUPILOT_TRY(folder, project::build_folder_of(inputs));
  return project::build_folder_as_it_is(folder);
}

Result<std::vector<store::StoredRun>> runs_of(const store::Database &database, const std::string &kernel) {
  CUPILOT_TRY(runs, database.runs());
  if (kernel.empty()) return runs;
  std::vector<std::string> names;
  for (const auto &run : runs)
    if (!text::contains(names, run.info.kernel)) names.push_back(run.info.kernel);
  if (!text::contains(names, kernel))
    return user_error("there is no search of a kernel '" + kernel + "' in this build folder; " +
                      text::suggestion(kernel, names));
  std::erase_if(runs, [&](const store::StoredRun &run) { return run.info.kernel != kernel; });
  return runs;
}

Result<int> log_runs(const LogOptions &options) {
  CUPILOT_TRY(build, build_of(options));
  CUPILOT_TRY(database, history::open_run_database(build.run_folder()));
  CUPILOT_TRY(runs, runs_of(database, options.kernel));
  report::Json json = {{"cupilot_log", 1}, {"runs", report::Json::array()}};
  std::string text;
  for (const auto &run : runs) {
    CUPILOT_TRY(view, history::view_of(database, run));
    if (options.json)
      json["runs"].push_back(history::log_json(view));
    else
      text += (text.empty() ? "" : "\n") + history::log_text(view);
  }
  CUPILOT_CHECKED(options.json ? report::print(json) : report::print(text));
  return 0;
}

/// The last search of the requested kernel, with the history it began with.
Result<int> export_run(const LogOptions &options) {
  CUPILOT_TRY(build, build_of(options));
  CUPILOT_TRY(database, history::open_run_database(build.run_folder()));
  CUPILOT_TRY(runs, runs_of(database, options.kernel));
  if (runs.empty())
    return user_error("no search was run in this build folder yet, so there is nothing to export");
  const auto &run = runs.back();
  CUPILOT_TRY(recording, search::recording_of(database, run.id));
  recording.history = read_file(history::history_file(build.run_folder(), run.info)).value_or("");
  CUPILOT_CHECKED(write_file_atomic(options.recording, provider::to_json_lines(recording)));
  log::note(fmt::format("'{}': {} ({}, policy {}), {} questions, {} verdicts", options.recording,
                        recording.kernel, recording.architecture, recording.policy,
                        recording.questions.size(), recording.verdicts.size()));
  return 0;
}

/// The slice, extracted from the source that the judge built (evolution/judge/bundle/entry_source.cpp), if
/// the bundle still exists.
std::string original_of(const project::BuildFolder &build, const history::IndividualView &one) {
  const auto path = build.run_folder() / "bundles" / one.bundle / "original" / "entry.cu";
  const auto text = read_file(path).value_or("");
  const auto from = text.find("slice.cu\"\n"), to = text.find("#line ", from == std::string::npos ? 0 : from);
  if (from == std::string::npos || to == std::string::npos) return text;
  const auto begin = from + std::string_view("slice.cu\"\n").size();
  return text.substr(begin, to - begin);
}

Result<int> show_one(const LogOptions &options) {
  CUPILOT_TRY(build, build_of(options));
  CUPILOT_TRY(database, history::open_run_database(build.run_folder()));
  CUPILOT_TRY(runs, runs_of(database, options.kernel));
  std::vector<std::string> known;
  // The same id may exist in several searches; the latest is used.
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    CUPILOT_TRY(view, history::view_of(database, *run));
    for (const auto &one : view.individuals) {
      if (one.individual.id != options.id) {
        known.push_back(one.individual.id);
        continue;
      }
      const history::ShownIndividual shown{view, one, original_of(build, one)};
      if (!options.json) {
        CUPILOT_CHECKED(report::print(history::show_text(shown)));
        return 0;
      }
      report::Json json = {{"cupilot_show", 1}};
      json.update(history::show_json(shown));
      CUPILOT_CHECKED(report::print(json));
      return 0;
    }
  }
  return user_error("there is no individual '" + options.id + "' in this build folder; " +
                    text::suggestion(options.id, known) + " 'cupilot log' lists them");
}

void add_common(CLI::App &command, LogOptions &options) {
  command.add_option("build", options.build, "The build folder; default: this one, or build/ in it")
      ->type_name("BUILD");
  command.add_option("--kernel", options.kernel, "Only searches of this kernel");
  command.add_flag("--json", options.json, "As JSON on stdout");
}

}  // namespace

Verb add_log(CLI::App &app) {
  const auto options = std::make_shared<LogOptions>();
  auto *command = app.add_subcommand("log", "Show what the searches of a build folder tried, found and cost");
  command->footer(kLogHelp);
  add_common(*command, *options);
  command->add_option("--export", options->recording, "Write a recording of the last search; see below")
      ->type_name("FILE");
  return {command, [options](const auto &) {
            return options->recording.empty() ? log_runs(*options) : export_run(*options);
          }};
}

Verb add_show(CLI::App &app) {
  const auto options = std::make_shared<LogOptions>();
  auto *command =
      app.add_subcommand("show", "Show one individual: verdict, strategy, difference, questions and answers");
  command->footer(kShowHelp);
  command->add_option("id", options->id, "The id of the individual, like c0007")->type_name("ID")->required();
  add_common(*command, *options);
  return {command, [options](const auto &) { return show_one(*options); }};
}

}  // namespace cupilot::cli
