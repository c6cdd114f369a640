// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/run/executors.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/cli/project/programs.h"
#include "driver/cli/records/record_view.h"
#include "driver/cli/run/progress_printer.h"
#include "driver/cli/text/lookup.h"
#include "evolution/judge/engine/waiver.h"
#include "evolution/judge/tools/toolchain.h"

namespace cupilot::cli::run {
namespace {

namespace fs = std::filesystem;

/// Forwards all calls and prints what the user has to do.
class SpokenEvents final : public judge::bundle::JudgeEvents {
public:
  explicit SpokenEvents(judge::bundle::JudgeEvents &next) : next_(next) {}
  void device(const model::DeviceReport &device) override { next_.device(device); }
  void built(const std::string &candidate, double seconds) override { next_.built(candidate, seconds); }
  void verdict(const model::Verdict &verdict) override { next_.verdict(verdict); }
  void error(const std::string &message) override { next_.error(message); }
  void waiting(const std::string &message) override {
    clear_rewritten_line();
    log::note(message);
    next_.waiting(message);
  }

private:
  judge::bundle::JudgeEvents &next_;
};

class SpokenExecutor final : public judge::bundle::Executor {
public:
  explicit SpokenExecutor(std::unique_ptr<judge::bundle::Executor> inner) : inner_(std::move(inner)) {}
  Result<std::vector<model::Verdict>> judge(const fs::path &bundle,
                                            judge::bundle::JudgeEvents &events) override {
    SpokenEvents spoken(events);
    return inner_->judge(bundle, spoken);
  }

private:
  std::unique_ptr<judge::bundle::Executor> inner_;
};

CLI::Validator known_executor(bool may_replay) {
  return CLI::Validator(
      [may_replay](const std::string &word) {
        const bool known = word == "local" || word == "cpu" || word == "folder";
        if (known || (may_replay && word.starts_with("replay:") && word.size() > 7)) return std::string();
        return "'" + word + "' is not one of local, cpu, folder" + (may_replay ? ", replay:FILE" : "");
      },
      may_replay ? "local|cpu|folder|replay:FILE" : "local|cpu|folder");
}

/// The executor of a search whose verdicts come from a recording; a request that is not in the recording is
/// an error.
class NoExecutor final : public judge::bundle::Executor {
public:
  Result<std::vector<model::Verdict>> judge(const fs::path &, judge::bundle::JudgeEvents &) override {
    return fail("the recording contains no verdict for this candidate");
  }
};

Result<std::unique_ptr<judge::bundle::Executor>> folder_executor(const ExecutorOptions &options,
                                                                 const judge::bundle::StopFlag &stop) {
  if (options.folder.empty())
    return user_error(
        "--executor folder needs --folder DIR, where bundles are written and verdicts are read");
  std::error_code failed;
  const auto folder = fs::absolute(options.folder, failed);
  fs::create_directories(folder, failed);
  const auto probe = folder / ".cupilot-writable";
  if (const auto written = write_file_atomic(probe, ""); !written) return within("--folder", written.error());
  fs::remove(probe, failed);
  judge::bundle::FolderOptions inner;
  inner.folder = folder;
  inner.stop = &stop;
  return std::make_unique<SpokenExecutor>(std::make_unique<judge::bundle::FolderExecutor>(inner));
}

}  // namespace

void add_executor_options(CLI::App &command, ExecutorOptions &options) {
  command
      .add_option(
          "--executor", options.executor,
          std::string("local: this GPU; cpu: execute on the CPU and estimate; folder: bundles for a GPU "
                      "machine elsewhere; ") +
              (options.may_replay ? "replay:FILE: verdicts of a recording; " : "") +
              "default: local where there is a GPU, else cpu")
      ->check(known_executor(options.may_replay));
  command
      .add_option("--folder", options.folder, "The folder that --executor folder exchanges bundles through")
      ->type_name("DIR");
  command
      .add_option("--arch", options.architecture,
                  "Architecture to judge on, like sm_90; default: that of this GPU")
      ->type_name("ARCH");
  command.add_option("--jobs", options.jobs, "Number of builds in parallel")->check(CLI::PositiveNumber);
  command
      .add_option(
          "--waive", options.waived,
          "Do not apply this rule to the kernel and its variants, for a race that is intended and harmless; "
          "may be repeated")
      ->type_name("RULE")
      ->check(CLI::IsMember(judge::engine::kWaivableRules));
}

std::string waiver_words(const std::vector<std::string> &waived) {
  std::string words;
  for (const std::string &rule : waived) words += " --waive " + rule;
  return words;
}

void choose_executor(ExecutorOptions &options) {
  if (!options.executor.empty()) return;
  // A worker that the user named is asked for its own device.
  const bool gpu = std::getenv("CUPILOT_WORKER") || judge::tools::local_architecture();
  options.executor = gpu ? "local" : "cpu";
  if (!gpu)
    log::note(
        "no NVIDIA GPU here: candidates are executed on the CPU, their times are estimates (--executor cpu)");
}

Result<std::unique_ptr<judge::bundle::Executor>> make_executor(const ExecutorOptions &options,
                                                               const judge::bundle::StopFlag &stop) {
  if (!options.recording().empty()) return std::make_unique<NoExecutor>();
  if (options.executor == "folder") return folder_executor(options, stop);
  CUPILOT_TRY(worker, options.cpu() ? project::find_emulate() : project::find_worker());
  judge::bundle::LocalOptions inner;
  inner.worker = worker;
  if (options.cpu()) inner.words = {"judge"};
  inner.jobs = options.jobs;
  inner.stop = &stop;
  return std::make_unique<SpokenExecutor>(std::make_unique<judge::bundle::LocalExecutor>(inner));
}

Result<std::string> choose_architecture(const ExecutorOptions &options,
                                        const std::vector<project::ProjectKernel> &kernels) {
  const auto &asked = options.architecture;
  if (!asked.empty()) {
    if (asked.starts_with("sm_") && asked.size() > 4) return asked;
    return user_error("--arch '" + asked + "' is not an architecture; write it like sm_90");
  }
  if (options.local()) return judge::tools::local_architecture();
  std::vector<std::string> compiled;
  for (const auto &kernel : kernels)
    for (const auto &architecture : records::wanted_architectures(kernel.spec))
      if (!text::contains(compiled, architecture)) compiled.push_back(architecture);
  if (compiled.size() == 1) return compiled[0];
  const std::string purpose = options.cpu() ? "estimate for" : "judge on";
  return user_error("--executor " + options.executor + " needs --arch, the architecture to " + purpose +
                    "; the kernels are compiled for " +
                    (compiled.empty() ? "no known architecture" : join(compiled, ", ")));
}

Result<std::string> choose_toolchain(const ExecutorOptions &options, const spec::CompileCommand &command) {
  const auto toolchain = judge::tools::find_toolchain(command);
  const bool built_here = options.local() || options.cpu();
  if (!toolchain && built_here) return std::unexpected(toolchain.error());
  if (!toolchain) return std::string();  // the machine that judges uses its own compiler
  if (built_here) ::setenv("CUPILOT_NVCC", toolchain->nvcc.c_str(), 1);
  return toolchain->describe();
}

}  // namespace cupilot::cli::run
