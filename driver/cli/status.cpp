// SPDX-License-Identifier: Apache-2.0
//
// cupilot status: prints the state of the record for each annotated kernel and compiled architecture. A CI
// can fail on it.

#include <fmt/format.h>
#include <algorithm>
#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "annotate/spec/json_convert.h"
#include "driver/cli/report/evidence.h"
#include "driver/cli/report/output.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/text/table.h"
#include "driver/cli/verbs.h"
#include "evolution/judge/tools/toolchain.h"

namespace cupilot::cli {
namespace {

constexpr const char *kStatusHelp =
    R"(States: fits; other_toolchain (used, measured with another compiler); workloads_changed (used, tune again);
estimate (made from estimates, and the target does not accept those), slower, stale, damaged, missing.
--check exits 1 unless every kernel has a record for each architecture it is compiled for and all of them fit
  (other_toolchain counts as fitting).
--json: {"cupilot_status":1, "ok":bool, "kernels":[{"kernel","place","precision","assumptions",
  "deterministic","records":[{"architecture","state","detail","precision","oracle",...}]}]})";

struct StatusOptions {
  project::ProjectRequest project{.analyse = false};
  bool check = false, json = false;
};

struct Row {
  project::ProjectKernel kernel;
  std::vector<records::RecordView> views;
};

std::string recorded_speedup_text(const records::RecordView &view) {
  std::string text;
  if (!view.record) return text;
  for (const auto &m : view.record->measurements)
    if (m.speedup > 0) text += fmt::format("{}{} {:.2f}x", text.empty() ? "" : ", ", m.workload, m.speedup);
  for (const auto &e : view.record->estimates)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", e.workload, text::estimate_text(e.ratio));
  return text;
}

std::string status_text(const std::vector<Row> &rows) {
  if (rows.empty()) return "no annotated kernels\n";
  text::Table table({{"kernel"}, {"architecture"}, {"record"}, {"speed-up"}, {"detail"}});
  for (const auto &[kernel, views] : rows) {
    const auto name = report::kernel_text(kernel.spec.name, kernel.spec.precision);
    if (views.empty()) table.add({name, "", "missing", "", "no record for any architecture"});
    for (const auto &view : views)
      table.add({name, view.architecture + (view.compiled ? "" : " (not compiled)"), view.word(),
                 recorded_speedup_text(view), view.detail});
  }
  return table.text();
}

report::Json status_json(const std::vector<Row> &rows, bool ok) {
  report::Json json = {{"cupilot_status", 1}, {"ok", ok}, {"kernels", report::Json::array()}};
  for (const auto &[kernel, views] : rows) {
    auto entry = spec::json_of(kernel, report::kKernelForm);
    entry["records"] = spec::json_of(views, report::kRecordViewForm);
    json["kernels"].push_back(std::move(entry));
  }
  return json;
}

/// The toolchain that a measurement here would use; each compiler is queried once. Without a compiler,
/// toolchains of records are not compared.
std::string toolchain_of(const spec::CompileCommand &command, std::map<std::string, std::string> &known) {
  const auto [entry, is_new] = known.try_emplace(command.compiler);
  if (!is_new) return entry->second;
  if (const auto found = judge::tools::find_toolchain(command)) entry->second = found->describe();
  return entry->second;
}

Result<int> status(const StatusOptions &options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  std::vector<Row> rows;
  std::map<std::string, std::string> toolchains;
  bool ok = true;
  for (const auto &kernel : project.kernels) {
    rows.push_back({kernel, records::view_records(kernel, toolchain_of(kernel.spec.command, toolchains))});
    ok = ok && !rows.back().views.empty() &&
         std::ranges::none_of(rows.back().views, &records::RecordView::needs_tuning);
  }
  CUPILOT_CHECKED(options.json ? report::print(status_json(rows, ok)) : report::print(status_text(rows)));
  return options.check && !ok ? 1 : 0;
}

}  // namespace

Verb add_status(CLI::App &app) {
  const auto options = std::make_shared<StatusOptions>();
  auto *command =
      app.add_subcommand("status", "Show for every kernel and architecture whether its record fits");
  command->footer(kStatusHelp);
  command->add_option("inputs", options->project.inputs, "A build folder; default: this one, or build/ in it")
      ->type_name("BUILD");
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  command->add_option("--jobs", options->project.jobs, "Number of sources parsed in parallel")
      ->check(CLI::PositiveNumber);
  command->add_flag("--check", options->check, "Exit 1 unless every record fits");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return status(*options);
          }};
}

}  // namespace cupilot::cli
