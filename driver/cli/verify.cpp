// SPDX-License-Identifier: Apache-2.0
//
// cupilot verify: judges the committed records again, to see whether they are correct on this machine with
// the present compiler. They are also timed if there is a GPU.

#include <fmt/format.h>
#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/log.h"
#include "driver/cli/project/located.h"
#include "driver/cli/records/record_view.h"
#include "driver/cli/report/output.h"
#include "driver/cli/report/verify_report.h"
#include "driver/cli/run/bundle_run.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/run/interrupt.h"
#include "driver/cli/verbs.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/data/secret.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::cli {
namespace {

constexpr const char *kVerifyHelp = R"(Examples:
  cupilot verify build/
  cupilot verify --finalist --faster build/      for a CI with a GPU
  cupilot verify --repeat build/                 on the very data the records were judged on
  cupilot verify --executor cpu build/
A record that no longer belongs to its kernel (stale, damaged, missing) is listed and not judged: see cupilot status.
--json: {"cupilot_verify":1, "ok":bool, "records":[{"kernel","architecture","state","estimate","precision","verdict",
  "reason","stage","speedup","recorded_speedup","wrong","no_longer_faster","oracle","errors","finalist","dispatch",
  "scratch_bytes","seed","secret","device","measurements":[{...,"then":{...},"ratio"}],"diagnostic"}]}
Exit codes: 0 all hold, 1 one is wrong (with --faster: or no longer faster), or something failed, 2 a mistake in the
  command line or the input: also a workload or an original that cannot serve as a reference.)";

struct VerifyOptions {
  project::ProjectRequest project;
  run::ExecutorOptions executor;
  std::optional<std::uint64_t> seed;
  bool repeat = false, finalist = false, faster = false, json = false;
};

/// The data that a record is judged on.
struct Draw {
  std::uint64_t seed = 0, secret = 0;
};

bool to_be_judged(const records::RecordView &view) {
  return view.record && view.state != record::RecordState::stale &&
         view.state != record::RecordState::damaged;
}

/// Older records do not say what they were judged on.
bool can_be_repeated(const model::Record &record) {
  return record.judged_seed != 0 || record.secret != 0;
}

class SpokenBuild final : public judge::bundle::JudgeEvents {
public:
  void built(const std::string &, double seconds) override {
    log::note(fmt::format("built in {:.1f} s; judging", seconds));
  }
};

class Verification {
public:
  Verification(const VerifyOptions &options, judge::bundle::Executor &executor)
      : options_(options), executor_(executor) {
    fresh_ =
        options.seed ? Draw{*options.seed, 0} : Draw{judge::data::draw_secret(), judge::data::draw_secret()};
  }

  report::VerifiedRecord row(const project::ProjectKernel &kernel, records::RecordView view) {
    report::VerifiedRecord row;
    row.kernel = kernel.spec.name;
    row.precision = kernel.spec.precision;
    row.view = std::move(view);
    if (!to_be_judged(row.view)) return row;
    log::note(row.kernel + " (" + row.view.architecture + "): building");
    auto verdict = judge(kernel, row.view);
    if (verdict)
      row.verdict = std::move(*verdict);
    else if (verdict.error().blame == Blame::user)
      row.refused = project::located(verdict.error(), kernel.spec);
    else
      row.error = verdict.error().message;
    if (row.refused) log::print(render(*row.refused));
    if (!row.error.empty()) log::error(row.kernel + " (" + row.view.architecture + "): " + row.error);
    return row;
  }

private:
  Result<model::Verdict> judge(const project::ProjectKernel &kernel, const records::RecordView &view) {
    CUPILOT_TRY(loaded, record::load_record(view.folder));
    if (options_.repeat && !can_be_repeated(loaded.record))
      return fail(
          "the record does not contain the seeds of the data it was judged on; verify it without --repeat");
    const Draw draw = options_.repeat ? Draw{loaded.record.judged_seed, loaded.record.secret} : fresh_;
    model::Individual individual;
    individual.id = run::kCandidate;
    individual.variant = std::move(loaded.variant);
    if (auto rejected = judge::screen::static_check(individual, kernel.spec)) return std::move(*rejected);
    const bool cpu = options_.executor.cpu();
    CUPILOT_TRY(cases,
                judge::cases::make_cases(kernel.spec, {draw.seed, draw.secret},
                                         cpu ? judge::cases::CaseCap::emulated : judge::cases::CaseCap::none,
                                         options_.finalist ? judge::cases::CaseReader::finalist
                                                           : judge::cases::CaseReader::search));
    judge::bundle::BundleContent content;
    content.id = kernel.spec.name + "-verify-" + view.architecture;
    content.architecture = view.architecture;
    content.spec = kernel.spec;
    content.cases = std::move(cases);
    content.individuals = {std::move(individual)};
    content.request.seed = draw.seed;
    content.request.secret = draw.secret;
    content.request.finalist = options_.finalist;
    content.request.time = !cpu;
    content.waived = loaded.record.waived;
    content.waived.insert(content.waived.end(), options_.executor.waived.begin(),
                          options_.executor.waived.end());
    if (cpu) content.request.run_seconds = judge::cases::kEmulatedRunSeconds;
    SpokenBuild events;
    CUPILOT_TRY(verdicts, run::run_bundle(content, executor_, events));
    return std::move(verdicts[0]);
  }

  const VerifyOptions &options_;
  judge::bundle::Executor &executor_;
  Draw fresh_;
};

/// Records this executor can judge: a GPU those of its own architecture, the CPU all of them.
bool selected(const records::RecordView &view, const std::string &architecture) {
  return architecture.empty() || view.architecture == architecture;
}

int exit_code(const VerifyOptions &options, const std::vector<report::VerifiedRecord> &rows) {
  if (const int signalled = run::interrupted_exit_code()) return signalled;
  const auto bad = [&](const report::VerifiedRecord &row) {
    return row.wrong() || !row.error.empty() || (options.faster && row.no_longer_faster());
  };
  if (std::ranges::any_of(rows, bad)) return 1;
  const auto refused = [](const report::VerifiedRecord &row) { return row.refused.has_value(); };
  return std::ranges::any_of(rows, refused) ? 2 : 0;
}

Result<int> verify(VerifyOptions options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  CUPILOT_TRY(kernels, project::select_kernels(project, options.project.kernels));
  if (kernels.empty())
    return user_error("no kernel of this build is annotated: there is no record to verify");
  run::choose_executor(options.executor);
  if (options.faster && options.executor.cpu())
    return user_error("--faster needs a GPU: the CPU executor measures nothing");
  const auto &stop = run::catch_interrupts();
  CUPILOT_TRY(executor, run::make_executor(options.executor, stop));
  std::string architecture = options.executor.architecture;
  if (architecture.empty() && !options.executor.cpu()) {
    CUPILOT_TRY(chosen, run::choose_architecture(options.executor, kernels));
    architecture = chosen;
  }
  CUPILOT_CHECKED(run::choose_toolchain(options.executor, kernels[0].spec.command));
  Verification verification(options, *executor);
  std::vector<report::VerifiedRecord> rows;
  for (const auto &kernel : kernels)
    for (auto &view : records::view_records(kernel))
      if (selected(view, architecture) && !stop) rows.push_back(verification.row(kernel, std::move(view)));
  const int code = exit_code(options, rows);
  CUPILOT_CHECKED(options.json ? report::print(report::verify_json(rows, code == 0))
                               : report::print(report::verify_text(rows)));
  return code;
}

}  // namespace

Verb add_verify(CLI::App &app) {
  const auto options = std::make_shared<VerifyOptions>();
  auto *command = app.add_subcommand("verify", "Judge the committed records again");
  command->footer(kVerifyHelp);
  command->add_option("inputs", options->project.inputs, "A build folder; default: this one, or build/ in it")
      ->type_name("BUILD");
  command->add_option("--kernel", options->project.kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  run::add_executor_options(*command, options->executor);
  auto *seed =
      command->add_option("--seed", options->seed, "Seed of the input data; default: fresh data each time");
  command
      ->add_flag("--repeat", options->repeat, "Use the data each record was judged on instead of fresh data")
      ->excludes(seed);
  command->add_flag("--finalist", options->finalist,
                    "Run the last stage too: sanitizers, streams, graphs, repeats, hold-outs");
  command->add_flag("--faster", options->faster, "Exit with 1 also when a variant is no longer faster");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) {
            options->project.compiler = compiler;
            return verify(*options);
          }};
}

}  // namespace cupilot::cli
