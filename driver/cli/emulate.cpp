// SPDX-License-Identifier: Apache-2.0
//
// cupilot emulate: runs a CUDA program with its kernels on the CPU. The program is not changed: a preloaded
// library (LD_PRELOAD) replaces the CUDA runtime in it and appends its findings to a file, which is read
// here.

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/report/output.h"
#include "driver/cli/run/program.h"
#include "driver/cli/verbs.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kEmulateHelp = R"(Examples:
  cupilot emulate -- ./app --size 1000
  cupilot emulate --checks all --json findings.json -- ./app
The program needs PTX for the emulated architecture or an older one (nvcc -arch=sm_90 includes it; clang:
  --cuda-include-ptx=all) and -lineinfo for places in findings. The CUDA runtime may be linked statically or shared.
--json: {"cupilot_emulate":1,"program":[...],"exit_code":0,"findings":[{"kind","kernel","message","file","line",
  "block","thread","times",...}]}
Times between events are the host's own, not those of any GPU.
Exit codes: the program's own; 1 if the program ends with 0 but there are findings; 128 + N if signal N ended it.)";

struct EmulateOptions {
  std::string architecture = "sm_90", checks = "none", json;
  unsigned threads = 0;
  std::uint64_t memory_mb = 0;
  bool log = false, only_log = false;
};

std::map<std::string, std::string> environment_for(const EmulateOptions &options, const fs::path &library,
                                                   const fs::path &report) {
  std::map<std::string, std::string> variables{{"LD_PRELOAD", run::with_preload(library)},
                                               {"CUPILOT_EMULATE_ARCH", options.architecture},
                                               {"CUPILOT_EMULATE_CHECKS", options.checks},
                                               {"CUPILOT_EMULATE_REPORT", report.string()}};
  if (options.threads) variables["CUPILOT_EMULATE_THREADS"] = std::to_string(options.threads);
  if (options.memory_mb) variables["CUPILOT_EMULATE_MEMORY_MB"] = std::to_string(options.memory_mb);
  if (options.log) variables["CUPILOT_EMULATE_LOG"] = "1";
  if (options.only_log) variables["CUPILOT_EMULATE_ONLY_LOG"] = "1";
  return variables;
}

/// Equal findings of several launches are merged.
report::Json read_findings(const fs::path &report) {
  report::Json findings = report::Json::array();
  const auto text = read_file(report);
  if (!text) return findings;
  std::map<std::string, std::size_t> seen;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    auto finding = report::Json::parse(line, nullptr, false);
    if (!finding.is_object()) continue;
    const auto key =
        report::Json{finding["kind"], finding["kernel"], finding["file"], finding["line"], finding["ptx"]}
            .dump();
    const auto [place, fresh] = seen.emplace(key, findings.size());
    if (fresh)
      findings.push_back(std::move(finding));
    else
      findings[place->second]["times"] =
          findings[place->second].value("times", 1ULL) + finding.value("times", 1ULL);
  }
  return findings;
}

std::string summary(const report::Json &findings) {
  std::map<std::string, unsigned> kinds;
  for (const auto &finding : findings) ++kinds[finding.value("kind", "")];
  std::string text;
  for (const auto &[kind, count] : kinds)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  return std::to_string(findings.size()) + (findings.size() == 1 ? " finding: " : " findings: ") + text;
}

Result<int> emulate(const EmulateOptions &options, const std::vector<std::string> &program) {
  CUPILOT_TRY(file, run::program_file(program, "cupilot emulate -- ./app"));
  CUPILOT_TRY(library, run::emulated_runtime());
  CUPILOT_TRY(scratch, TemporaryFolder::create("cupilot-emulate"));
  const auto report = scratch.path() / "findings";
  CUPILOT_TRY(code, run::run_attached(file, program, environment_for(options, library, report)));
  const auto findings = read_findings(report);
  if (!findings.empty()) log::error(summary(findings));
  if (!options.json.empty()) {
    const report::Json answer{
        {"cupilot_emulate", 1}, {"program", program}, {"exit_code", code}, {"findings", findings}};
    CUPILOT_CHECKED(write_file_atomic(options.json, answer.dump(2) + "\n"));
  }
  return code == 0 && !findings.empty() ? 1 : code;
}

}  // namespace

Verb add_emulate(CLI::App &app) {
  const auto options = std::make_shared<EmulateOptions>();
  auto *command = app.add_subcommand("emulate", "Run a CUDA program without a GPU, its kernels on the CPU");
  command->footer(kEmulateHelp);
  command->add_option("--arch", options->architecture, "Architecture of the emulated GPU")
      ->capture_default_str();
  command
      ->add_option("--checks", options->checks,
                   "Checks to make: races, init, all or none, separated by commas")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Number of host threads; default: all cores");
  command
      ->add_option("--memory", options->memory_mb,
                   "Device memory in MiB; default: three quarters of this machine's")
      ->type_name("MIB");
  command->add_flag("--log", options->log, "Print one line per launch on stderr");
  command->add_flag("--only-log", options->only_log, "Print the launches without running any kernel");
  command->add_option("--json", options->json, "Write the findings to this file")->type_name("FILE");
  return {command, [options](const auto &program) { return emulate(*options, program); }};
}

}  // namespace cupilot::cli
