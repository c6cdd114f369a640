// SPDX-License-Identifier: Apache-2.0
//
// cupilot verify: the committed records before the judge again: correct on this machine, with today's
// compiler? Timed as well where there is a GPU.

#include <fmt/format.h>
#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/log.h"
#include "driver/cli/bundle_run.h"
#include "driver/cli/executors.h"
#include "driver/cli/figures.h"
#include "driver/cli/interrupt.h"
#include "driver/cli/output.h"
#include "driver/cli/record_view.h"
#include "driver/cli/table.h"
#include "driver/cli/verbs.h"
#include "evolution/judge/cases.h"
#include "evolution/judge/static_check.h"
#include "evolution/search/knobs.h"

namespace cupilot::cli {
namespace {

constexpr const char *kHelp = R"(Examples:
  cupilot verify build/
  cupilot verify --executor cpu build/
A record that no longer belongs to its kernel (stale, damaged, missing) is listed and not judged: see cupilot status.
--json: {"cupilot_verify":1, "ok":bool, "records":[{"kernel","architecture","state","estimate","verdict","reason","measurements"}]}
Exit codes: 0 no record is wrong, 1 one is, or something failed, 2 a mistake in the command line or the input.)";

struct Options {
  ProjectRequest project;
  std::vector<std::string> kernels;
  ExecutorOptions executor;
  std::uint64_t seed = 1;
  bool json = false;
};

struct Row {
  std::string kernel;
  RecordView view;
  std::optional<Verdict> verdict;
};

constexpr const char *kCandidate = "c0001";

bool correct(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::faster:
    case VerdictKind::slower:
    case VerdictKind::same:
    case VerdictKind::unsure:
      return true;
    default:
      return false;
  }
}

/// What could not be looked at says nothing against a record.
bool wrong(const Row &row) {
  return row.verdict && !correct(row.verdict->kind) && row.verdict->kind != VerdictKind::not_evaluated;
}

bool to_be_judged(const RecordView &view) {
  return view.record && view.state != RecordState::stale && view.state != RecordState::damaged;
}

class Verification {
public:
  Verification(const Options &options, Executor &executor) : options_(options), executor_(executor) {}

  Result<Verdict> judge(const ProjectKernel &kernel, const RecordView &view) {
    CUPILOT_TRY(loaded, load_record(view.folder));
    Individual individual;
    individual.id = kCandidate;
    individual.variant = std::move(loaded.variant);
    if (auto rejected = static_check(individual, kernel.spec)) return std::move(*rejected);
    const bool cpu = options_.executor.cpu();
    CUPILOT_TRY(cases, make_cases(kernel.spec, options_.seed, cpu ? CaseCap::emulated : CaseCap::none));
    BundleContent content;
    content.id = kernel.spec.name + "-verify-" + view.architecture;
    content.architecture = view.architecture;
    content.spec = kernel.spec;
    content.cases = std::move(cases);
    content.individuals = {std::move(individual)};
    content.request.seed = options_.seed;
    content.request.time = !cpu;
    if (cpu) content.request.run_seconds = kEmulatedRunSeconds;
    JudgeEvents silent;
    CUPILOT_TRY(verdicts, run_bundle(content, executor_, silent));
    return std::move(verdicts[0]);
  }

private:
  const Options &options_;
  Executor &executor_;
};

/// Without times there is nothing to compare: a correct one is just that.
std::string verdict_of(const Row &row) {
  if (!row.verdict) return "not judged";
  const bool timed = !row.verdict->measurements.empty();
  return correct(row.verdict->kind) && !timed ? "correct" : to_string(row.verdict->kind);
}

std::string reason_of(const Row &row) {
  if (!row.verdict) return row.view.detail;
  std::string text = row.verdict->reason;
  for (const auto &limit : row.verdict->limits) text += "; " + limit;
  return text;
}

std::string speedup_of(const Row &row) {
  return row.verdict ? speedup_text(overall_speedup(*row.verdict)) : "-";
}

std::string verify_text(const std::vector<Row> &rows) {
  if (rows.empty()) return "no records\n";
  Table table({{"kernel"}, {"architecture"}, {"record"}, {"verdict"}, {"speed-up"}, {"reason"}});
  for (const Row &row : rows)
    table.add({row.kernel, row.view.architecture, row.view.word(), verdict_of(row), speedup_of(row),
               reason_of(row)});
  return table.text();
}

Json verify_json(const std::vector<Row> &rows, bool ok) {
  Json json = {{"cupilot_verify", 1}, {"ok", ok}, {"records", Json::array()}};
  for (const Row &row : rows) {
    Json item = {{"kernel", row.kernel},       {"architecture", row.view.architecture},
                 {"state", row.view.word()},   {"estimate", row.view.record && row.view.record->estimate},
                 {"verdict", verdict_of(row)}, {"reason", reason_of(row)}};
    item["measurements"] = Json::array();
    if (row.verdict)
      for (const auto &m : row.verdict->measurements) item["measurements"].push_back(json_of(m));
    if (row.verdict && !row.verdict->limits.empty()) item["limits"] = row.verdict->limits;
    json["records"].push_back(std::move(item));
  }
  return json;
}

/// Records this executor can judge: a GPU those of its own architecture, the CPU all of them.
bool selected(const RecordView &view, const std::string &architecture) {
  return architecture.empty() || view.architecture == architecture;
}

Result<int> verify(Options options) {
  CUPILOT_TRY(project, read_project(options.project));
  CUPILOT_CHECKED(report_diagnostics(project));
  CUPILOT_TRY(kernels, select_kernels(project, options.kernels));
  if (kernels.empty())
    return user_error("no kernel of this build is annotated: there is no record to verify");
  choose_executor(options.executor);
  const auto &stop = catch_interrupts();
  CUPILOT_TRY(executor, make_executor(options.executor, stop));
  std::string architecture = options.executor.architecture;
  if (architecture.empty() && !options.executor.cpu()) {
    CUPILOT_TRY(chosen, choose_architecture(options.executor, kernels));
    architecture = chosen;
  }
  CUPILOT_CHECKED(choose_toolchain(options.executor, kernels[0].spec.command));
  Verification verification(options, *executor);
  std::vector<Row> rows;
  bool failed = false;
  for (const auto &kernel : kernels)
    for (auto &view : view_records(kernel)) {
      if (!selected(view, architecture) || stop) continue;
      Row row{kernel.spec.name, std::move(view), {}};
      if (to_be_judged(row.view)) {
        auto verdict = verification.judge(kernel, row.view);
        if (!verdict) log::error(row.kernel + " (" + row.view.architecture + "): " + verdict.error().message);
        failed = failed || !verdict;
        if (verdict) row.verdict = std::move(*verdict);
      }
      rows.push_back(std::move(row));
    }
  const bool ok = !failed && std::ranges::none_of(rows, wrong);
  CUPILOT_CHECKED(options.json ? print(verify_json(rows, ok)) : print(verify_text(rows)));
  if (const int signalled = interrupted_exit_code()) return signalled;
  return ok ? 0 : 1;
}

}  // namespace

Verb add_verify(CLI::App &app) {
  const auto options = std::make_shared<Options>();
  auto *command = app.add_subcommand("verify", "Judge the committed records again");
  command->footer(kHelp);
  command->add_option("inputs", options->project.inputs, "A build folder; default: this one, or build/ in it")
      ->type_name("BUILD");
  command->add_option("--kernel", options->kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  add_executor_options(*command, options->executor);
  command->add_option("--seed", options->seed, "Of the input data")->capture_default_str();
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return verify(*options);
          }};
}

}  // namespace cupilot::cli
