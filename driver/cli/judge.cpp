// SPDX-License-Identifier: Apache-2.0
//
// cupilot judge: judges a hand-written variant exactly as the search judges its own.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/project/located.h"
#include "driver/cli/records/publish.h"
#include "driver/cli/report/verdict_report.h"
#include "driver/cli/run/bundle_run.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/run/interrupt.h"
#include "driver/cli/text/figures.h"
#include "driver/cli/verbs.h"
#include "evolution/judge/bundle/bundle_writer.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/judge/data/secret.h"
#include "evolution/judge/screen/static_check.h"
#include "evolution/search/knobs.h"

namespace cupilot::cli {
namespace {

constexpr const char *kJudgeHelp = R"(Examples:
  cupilot judge norm.cu --kernel rms_norm --variant mine.cuh --build build/
  cupilot judge norm.cu --kernel rms_norm --variant mine.cuh --publish -- -Iinclude -arch=sm_90
--json: {"cupilot_judge":1, "kernel","architecture","verdict","stage","reason","errors":[...],"measurements":[...],
  "build":{...},"precision","oracle","finalist":[...],"seed","secret","record"}, or "diagnostic" in place of a verdict
Exit codes: 0 the variant is correct and not slower (faster, same, unsure; with --publish: faster), 1 it is not,
  2 a mistake in the command line or the input, such as a kernel or a workload that cannot serve as a reference.)";

struct JudgeOptions {
  std::string file, kernel, variant, build, records;
  run::ExecutorOptions executor;
  std::uint64_t seed = 1;
  bool publish = false, finalist = false, json = false;
  /// Only a variant that passed every stage becomes a record.
  bool last_stage() const { return finalist || publish; }
};

Result<project::ProjectKernel> find_kernel(const JudgeOptions &options,
                                           const std::vector<std::string> &compiler) {
  project::ProjectRequest request;
  if (!options.build.empty())
    request.inputs.push_back(options.build);
  else if (const auto here = project::build_folder_here(); here && compiler.empty())
    request.inputs.push_back(here->string());
  request.inputs.push_back(options.file);
  request.compiler = compiler;
  request.records = options.records;
  request.kernels = {options.kernel};
  CUPILOT_TRY(project, project::read_project(request));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  CUPILOT_TRY(kernels, project::select_kernels(project, {options.kernel}));
  return kernels[0];
}

Result<model::Individual> read_variant(const std::string &file) {
  auto text = read_file(file);
  if (!text) return user_error(text.error().message);
  const auto knobs = search::parse_knobs(*text);
  if (!knobs) return user_error("the variant '" + file + "': " + knobs.error().message);
  model::Individual individual;
  individual.id = run::kCandidate;
  individual.variant = std::move(*text);
  individual.knobs = *knobs;
  individual.provider = "hand";
  return individual;
}

class SpokenProgress final : public judge::bundle::JudgeEvents {
public:
  void built(const std::string &, double seconds) override {
    log::note("built in " +
              text::duration_text(std::chrono::milliseconds(static_cast<long>(seconds * 1000))) +
              "; judging");
  }
};

/// A bundle id that depends on the variant and the workloads, so that the same question finds its verdict in
/// a folder of bundles.
std::string bundle_id(const spec::KernelSpec &spec, const model::Individual &individual,
                      const JudgeOptions &options) {
  Sha256 hash;
  hash.field(spec.kernel_id)
      .field(spec.workload_id)
      .field(individual.variant)
      .field(options.executor.architecture)
      .field(options.executor.cpu() ? "cpu" : "gpu");
  hash.field(std::to_string(options.seed)).field(options.last_stage() ? "finalist" : "");
  for (const std::string &rule : options.executor.waived) hash.field(rule);
  return spec.name + "-judge-" + hash.hex().substr(0, 16);
}

/// A bundle of this id that is already in the folder is kept, with its verdict if there is one.
std::uint64_t secret_of(const std::string &id, const run::ExecutorOptions &options) {
  if (options.executor != "folder") return judge::data::draw_secret();
  const auto there = judge::bundle::read_bundle(std::filesystem::path(options.folder) / id);
  return there ? there->request.secret : judge::data::draw_secret();
}

struct Judged {
  model::Verdict verdict;
  std::vector<model::Case> cases;
  std::string toolchain;
  std::optional<Diagnostic> refused;  ///< set instead of a verdict: the kernel cannot be used as a reference
};

Judged refusal(const Error &error, const spec::KernelSpec &spec) {
  Judged judged;
  judged.refused = project::located(error, spec);
  return judged;
}

judge::bundle::BundleContent content_of(const project::ProjectKernel &kernel,
                                        const model::Individual &individual, const JudgeOptions &options) {
  judge::bundle::BundleContent content;
  content.id = bundle_id(kernel.spec, individual, options);
  content.architecture = options.executor.architecture;
  content.spec = kernel.spec;
  content.individuals = {individual};
  content.waived = options.executor.waived;
  content.request.seed = options.seed;
  content.request.secret = secret_of(content.id, options.executor);
  content.request.finalist = content.request.check_original = options.last_stage();
  content.request.profile = true;
  if (options.executor.cpu()) content.request.run_seconds = judge::cases::kEmulatedRunSeconds;
  return content;
}

/// Checks of the text run first, since they need no GPU and no compiler. Fills in the architecture of
/// `options`.
Result<Judged> judge_variant(const project::ProjectKernel &kernel, const model::Individual &individual,
                             JudgeOptions &options) {
  const auto &stop = run::catch_interrupts();
  run::choose_executor(options.executor);
  const auto make_cases = [&](std::uint64_t secret) {
    return judge::cases::make_cases(
        kernel.spec, {options.seed, secret},
        options.executor.cpu() ? judge::cases::CaseCap::emulated : judge::cases::CaseCap::none,
        options.last_stage() ? judge::cases::CaseReader::finalist : judge::cases::CaseReader::search);
  };
  auto cases = make_cases(0);
  if (!cases && cases.error().blame == Blame::user) return refusal(cases.error(), kernel.spec);
  if (!cases) return std::unexpected(cases.error());
  if (auto rejected = judge::screen::static_check(individual, kernel.spec)) {
    rejected->precision = spec::to_string(kernel.spec.precision);
    return Judged{std::move(*rejected), std::move(*cases), "", {}};
  }
  CUPILOT_TRY(architecture, run::choose_architecture(options.executor, {kernel}));
  options.executor.architecture = architecture;
  CUPILOT_TRY(toolchain, run::choose_toolchain(options.executor, kernel.spec.command));
  CUPILOT_TRY(executor, run::make_executor(options.executor, stop));
  auto content = content_of(kernel, individual, options);
  cases = make_cases(content.request.secret);
  if (!cases) return std::unexpected(cases.error());
  content.cases = *cases;
  SpokenProgress events;
  auto verdicts = run::run_bundle(content, *executor, events);
  if (!verdicts && verdicts.error().blame == Blame::user) return refusal(verdicts.error(), kernel.spec);
  if (!verdicts) return std::unexpected(verdicts.error());
  model::Verdict &verdict = verdicts->front();
  if (verdict.precision.empty()) verdict.precision = spec::to_string(kernel.spec.precision);  // not built
  return Judged{std::move(verdict), std::move(*cases), std::move(toolchain), {}};
}

Result<records::Publication> publish_judged(const project::ProjectKernel &kernel,
                                            const model::Individual &individual, const Judged &judged,
                                            const JudgeOptions &options) {
  record::Provenance provenance;
  provenance.architecture = options.executor.architecture;
  provenance.policy = "hand";
  provenance.toolchain = judged.toolchain;
  provenance.seed = options.seed;
  provenance.waived = options.executor.waived;
  const auto path = [&](const std::string &file) {
    return shell_quote(records::path_from_root(kernel, std::filesystem::absolute(file)));
  };
  provenance.command = "cupilot judge " + path(options.file) + " --kernel " + options.kernel + " --variant " +
                       path(options.variant) + " --publish" +
                       (options.executor.cpu() ? " --executor cpu" : "") + " --arch " +
                       options.executor.architecture + " --seed " + std::to_string(options.seed) +
                       run::waiver_words(options.executor.waived);
  return records::publish_winner(kernel, {individual, judged.verdict, judged.cases}, provenance);
}

bool accepted(model::VerdictKind kind, bool publish) {
  if (kind == model::VerdictKind::faster) return true;
  return !publish && (kind == model::VerdictKind::same || kind == model::VerdictKind::unsure);
}

Result<int> report_refusal(const project::ProjectKernel &kernel, const Diagnostic &refused,
                           const JudgeOptions &options) {
  log::print(render(refused));
  if (options.json) CUPILOT_CHECKED(report::print(report::refusal_json(kernel.spec.name, refused)));
  return 2;
}

Result<int> judge(JudgeOptions options, const std::vector<std::string> &compiler) {
  CUPILOT_TRY(individual, read_variant(options.variant));
  CUPILOT_TRY(kernel, find_kernel(options, compiler));
  if (options.publish) CUPILOT_CHECKED(record::check_writable(kernel.records));
  const auto judged = judge_variant(kernel, individual, options);
  if (!judged && run::interrupted_exit_code()) return run::interrupted_exit_code();
  if (!judged) return std::unexpected(judged.error());
  if (judged->refused) return report_refusal(kernel, *judged->refused, options);
  report::VerdictReport report{kernel.spec.name, options.executor.architecture, judged->verdict, {}};
  if (options.publish && judged->verdict.kind == model::VerdictKind::faster) {
    CUPILOT_TRY(publication, publish_judged(kernel, individual, *judged, options));
    report.publication = publication;
    if (!publication.swap.name.empty()) report.verdict.finalist.push_back(publication.swap);
  }
  CUPILOT_CHECKED(options.json ? report::print(report::verdict_json(report))
                               : report::print(report::verdict_text(report)));
  if (report.publication && report.publication->kind == records::Publication::Kind::kept_measured) return 1;
  return accepted(judged->verdict.kind, options.publish) ? 0 : 1;
}

}  // namespace

Verb add_judge(CLI::App &app) {
  const auto options = std::make_shared<JudgeOptions>();
  auto *command = app.add_subcommand("judge", "Judge a variant that you wrote yourself");
  command->footer(kJudgeHelp);
  command->add_option("file", options->file, "The source with the kernel")->type_name("FILE")->required();
  command->add_option("--kernel", options->kernel, "The annotated kernel the variant replaces")->required();
  command->add_option("--variant", options->variant, "The variant's file")->type_name("FILE")->required();
  command
      ->add_option("--build", options->build,
                   "Take the compiler flags from this build folder; default: this folder, or build/ in it")
      ->type_name("BUILD");
  run::add_executor_options(*command, options->executor);
  command->add_option("--seed", options->seed, "Seed of the input data")->capture_default_str();
  command->add_option("--records", options->records, "Records folder instead of the target's own");
  command->add_flag("--finalist", options->finalist,
                    "Run the last stage too: sanitizers, streams, graphs, repeats, hold-outs");
  command->add_flag("--publish", options->publish, "Publish it as a record if it is faster; runs all stages");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &compiler) { return judge(*options, compiler); }};
}

}  // namespace cupilot::cli
