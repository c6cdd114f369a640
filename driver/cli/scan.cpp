// SPDX-License-Identifier: Apache-2.0
//
// cupilot scan: lists the annotated kernels, their launches and the records that fit. It changes nothing.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "annotate/spec/json_convert.h"
#include "annotate/support/log.h"
#include "driver/cli/report/evidence.h"
#include "driver/cli/report/output.h"
#include "driver/cli/report/output_fields.h"
#include "driver/cli/text/table.h"
#include "driver/cli/verbs.h"

namespace cupilot::cli {
namespace {

constexpr const char *kScanHelp = R"(Examples:
  cupilot scan build/
  cupilot scan norm.cu -- -Iinclude -DSIZE=4 -arch=sm_90

States of a record: fits, workloads_changed, other_toolchain, stale, slower, damaged, missing.
--json: {"cupilot_scan":1, "kernels":[{"kernel","place","workloads","launches","records",...}], "diagnostics":[...]}
Exit codes: 0 fine, 1 an annotation has an error or something failed, 2 a mistake in the command line or the input.)";

struct ScanOptions {
  project::ProjectRequest project{.analyse = false};
  bool json = false;
};

std::string launches_text(const spec::KernelSpec &spec) {
  const auto caught = std::ranges::count_if(spec.launches, [](const auto &launch) { return launch.caught; });
  const auto missed = static_cast<long>(spec.launches.size()) - caught;
  return std::to_string(caught) + (missed ? " (+" + std::to_string(missed) + " not caught)" : "");
}

std::string workloads_text(const spec::KernelSpec &spec) {
  std::string text;
  for (const auto &workload : spec.workloads)
    text += (text.empty() ? "" : ", ") + workload.id + (workload.check ? " (check)" : "") +
            (workload.holdout ? " (hold-out)" : "");
  return text;
}

std::string kernels_text(const project::Project &project) {
  if (project.kernels.empty()) return "no annotated kernels\n";
  text::Table table({{"kernel"}, {"place"}, {"workloads"}, {"launches"}, {"architecture"}, {"record"}});
  std::string notes;
  for (const auto &kernel : project.kernels) {
    const auto &spec = kernel.spec;
    std::vector<std::string> head{report::kernel_text(spec.name, spec.precision), report::short_place(kernel),
                                  workloads_text(spec), launches_text(spec)};
    for (const auto &view : records::view_records(kernel)) {
      auto row = head;
      row.insert(row.end(), {view.architecture + (view.compiled ? "" : " (not compiled)"), view.word()});
      table.add(std::move(row));
      head.assign(head.size(), "");  // the next rows are further architectures of the same kernel
      if (!view.detail.empty() && view.state != record::RecordState::missing)
        notes += spec.name + " " + view.architecture + ": " + view.detail + "\n";
    }
    if (!head[0].empty()) table.add(std::move(head));
    for (const auto &launch : spec.launches)
      if (!launch.caught)
        notes += spec.name + ": the " + spec::to_string(launch.kind) + " launch at " + launch.place.file +
                 ":" + std::to_string(launch.place.line) + " is not caught; it runs the original\n";
  }
  return table.text() + (notes.empty() ? "" : "\n" + notes);
}

constexpr auto kScannedKernel = fields(
    report::kKernelForm,
    inlined(&project::ProjectKernel::spec,
            fields(field("workloads", &spec::KernelSpec::workloads,
                         fields(field("id", &spec::Workload::id), field("check", &spec::Workload::check),
                                field("weight", &spec::Workload::weight),
                                field("holdout", &spec::Workload::holdout))),
                   field("launches", &spec::KernelSpec::launches))),
    computed("records", [](const project::ProjectKernel &kernel) {
      return spec::json_of(records::view_records(kernel), report::kRecordViewForm);
    }));
constexpr auto kScanForm = fields(
    computed("kernels",
             [](const project::Project &project) { return spec::json_of(project.kernels, kScannedKernel); }),
    field("diagnostics", &project::Project::diagnostics, report::kDiagnosticForm));

Result<int> scan(const ScanOptions &options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  for (const auto &diagnostic : project.diagnostics) log::print(render(diagnostic));
  CUPILOT_CHECKED(options.json ? report::print(spec::document_of("cupilot_scan", 1, project, kScanForm))
                               : report::print(kernels_text(project)));
  return has_errors(project.diagnostics) ? 1 : 0;
}

}  // namespace

Verb add_scan(CLI::App &app) {
  const auto options = std::make_shared<ScanOptions>();
  auto *command = app.add_subcommand("scan", "List annotated kernels, their launches and records");
  command->footer(kScanHelp);
  command
      ->add_option("inputs", options->project.inputs,
                   "A build folder (and files of it), or files; default: this one, or build/ in it")
      ->type_name("BUILD|FILE");
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  command->add_option("--jobs", options->project.jobs, "Number of sources parsed in parallel")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return scan(*options);
          }};
}

}  // namespace cupilot::cli
