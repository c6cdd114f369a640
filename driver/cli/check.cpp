// SPDX-License-Identifier: Apache-2.0
//
// cupilot check: the annotated kernels themselves, executed on the CPU with all checks. Findings are printed
// like a compiler's.

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/records/record_view.h"
#include "driver/cli/report/check_report.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/verbs.h"

namespace cupilot::cli {
namespace {

constexpr const char *kCheckHelp = R"(Examples:
  cupilot check build/
  cupilot check norm.cu -- -Iinclude -DSIZE=4
Executes every annotated kernel on its workloads, made smaller where they are large, and reports accesses out of
bounds or misaligned, races in shared and global memory, divergent barriers, bad shuffle masks, uninitialised reads,
endless loops.
--json: {"cupilot_check":1, "kernels":[{"kernel","workloads","shrunk","error",
  "findings":[{"rule","message","place",...}]}]}
Exit codes: 0 no findings, 1 findings, 2 no kernel could be run, or a mistake in the command line or the input.)";

struct CheckOptions {
  project::ProjectRequest project;
  std::string architecture, sarif;
  std::uint64_t seed = 1;
  bool json = false;
};

constexpr const char *kAnyArchitecture = "sm_90";

std::string architecture_of(const CheckOptions &options, const project::ProjectKernel &kernel) {
  if (!options.architecture.empty()) return options.architecture;
  const auto wanted = records::wanted_architectures(kernel.spec);
  return wanted.empty() ? kAnyArchitecture : wanted.front();
}

int exit_code(const std::vector<run::CheckedKernel> &checked) {
  const auto any = [&](auto what) { return std::ranges::any_of(checked, what); };
  if (any([](const run::CheckedKernel &kernel) { return !kernel.findings.empty(); })) return 1;
  const bool all_ran = !any([](const run::CheckedKernel &kernel) { return !kernel.error.empty(); });
  return all_ran && !checked.empty() ? 0 : 2;
}

Result<int> check(const CheckOptions &options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  CUPILOT_TRY(kernels, project::select_kernels(project, options.project.kernels));
  if (kernels.empty())
    return user_error(
        "no kernel here is annotated; put '#pragma cupilot optimize' and a workload before one");
  run::ExecutorOptions cpu;
  cpu.executor = "cpu";
  CUPILOT_CHECKED(run::choose_toolchain(cpu, kernels[0].spec.command));
  std::vector<run::CheckedKernel> checked;
  for (const auto &kernel : kernels) {
    CUPILOT_TRY(one, run::check_kernel(kernel, architecture_of(options, kernel), options.seed));
    if (!one.error.empty()) log::error(one.kernel + ": " + one.error);
    checked.push_back(std::move(one));
  }
  if (!options.sarif.empty())
    CUPILOT_CHECKED(
        write_file_atomic(options.sarif, report::check_sarif(checked, kernels[0].records.parent_path())));
  CUPILOT_CHECKED(options.json ? report::print(report::check_json(checked))
                               : report::print(report::check_text(checked)));
  return exit_code(checked);
}

}  // namespace

Verb add_check(CLI::App &app) {
  const auto options = std::make_shared<CheckOptions>();
  auto *command = app.add_subcommand("check", "Execute annotated kernels on the CPU and report their faults");
  command->footer(kCheckHelp);
  command
      ->add_option("inputs", options->project.inputs,
                   "A build folder (and files of it), or files; default: this one, or build/ in it")
      ->type_name("BUILD|FILE");
  command->add_option("--kernel", options->project.kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--arch", options->architecture, "Compile and execute as this architecture, like sm_90")
      ->type_name("ARCH");
  command->add_option("--seed", options->seed, "Seed of the input data")->capture_default_str();
  command->add_flag("--json", options->json, "JSON on stdout");
  command->add_option("--sarif", options->sarif, "Write the findings to this file as SARIF 2.1.0")
      ->type_name("FILE");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return check(*options);
          }};
}

}  // namespace cupilot::cli
