// SPDX-License-Identifier: Apache-2.0
//
// cupilot tune: extract, search, judge, publish. Errors of the machine or the command line are found before
// the first candidate. After that, all progress is stored in the run database.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/project/programs.h"
#include "driver/cli/records/record_view.h"
#include "driver/cli/run/budget.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/run/interrupt.h"
#include "driver/cli/run/progress_printer.h"
#include "driver/cli/tune/cutlass.h"
#include "driver/cli/tune/data_policy.h"
#include "driver/cli/tune/model_options.h"
#include "driver/cli/tune/tune_session.h"
#include "driver/cli/verbs.h"
#include "evolution/provider/builtin.h"
#include "evolution/provider/recording.h"
#include "evolution/role/prompt.h"

namespace cupilot::cli {
namespace {

/// The help text around the budget's part, which names the defaults.
constexpr const char *kTuneHelpBegin =
    R"(A run that was stopped (Ctrl-C, kill -9, a power failure) continues where it stopped when you start it again.
)";
constexpr const char *kTuneHelpEnd =
    R"(Models: keys are read from the environment and never stored; text is sent only after consent (--data-policy).
If nothing faster is found, nothing is published, and the exit code is 0.
Without a GPU candidates are executed on the CPU (--executor cpu): correctness is checked as on a GPU, at smaller
  sizes; times are estimates, and so are the records. Builds use those with cupilot_tune(target ACCEPT_ESTIMATES) only.
--json: {"cupilot_tune":1, "interrupted":bool, "kernels":[{"kernel","target","architecture","precision","result",
  "error","diagnostic","record","judgement":{"precision","oracle","errors","finalist",...},"judged","resumed",
  "seconds","stopped_because","spent":{"usd","tokens_in","tokens_cached","tokens_out",
  "roles":[{"role","model","questions",...}]},
  "device":{...},"counts":{verdict:n},
  "measurements":[{"workload","verdict","original_us","tuned_us","speedup","speedup_low","speedup_high",
  "copy_bandwidth_share"}],"estimates":[{"workload","verdict","original_us","tuned_us","ratio","tie","bound","blocks",
  "blocks_run"}],"tried":[{"strategies","knobs","candidates","verdict","speedup","estimate","won","reason"}]}]}
  result: published, unchanged, kept_better, kept_measured, faster (not published), nothing_faster, interrupted, failed.
Exit codes: 0 all tuned or nothing to gain, 1 something failed, 2 a mistake in the command line or the input, such as
  a kernel or a workload that cannot serve as a reference, 130 stopped by Ctrl-C.)";

std::string tune_help() {
  const search::Budget usual;
  const auto budgets = fmt::format(
      R"(Budgets: --budget "$5, 2M tokens, 30 min, 200 candidates, 10 gpu-min". Money and tokens are for the whole
  command and all its starts, shared among the kernels; the others count for each kernel. Default: {} min,
  {} candidates; with a model {} h and, unless money or tokens are given, {} tokens per kernel. A question
  that might not fit is not asked.
)",
      std::chrono::duration_cast<std::chrono::minutes>(usual.wall).count(), usual.candidates,
      std::chrono::duration_cast<std::chrono::hours>(run::kDefaultModelTime).count(),
      run::tokens_text(run::kDefaultTokens));
  return kTuneHelpBegin + budgets + kTuneHelpEnd;
}

struct TuneOptions {
  project::ProjectRequest project;
  std::string build;
  run::ExecutorOptions executor;
  std::string budget;
  double minutes = 0;
  std::size_t candidates = 0;
  tune::ModelOptions model;
  std::uint64_t seed = 0;
  bool no_publish = false, fresh = false, json = false;
  std::string progress = "auto";
};

/// Limits of money and tokens that the user gave apply to the whole command.
struct CommandBudget {
  search::Budget budget;
  bool models_said = false;
};

Result<CommandBudget> budget_of(const TuneOptions &options) {
  run::AskedBudget asked;
  if (!options.budget.empty()) {
    CUPILOT_TRY(parsed, run::parse_budget(options.budget));
    asked = parsed;
  }
  if (options.minutes > 0) {
    asked.budget.wall = std::chrono::seconds(static_cast<long>(options.minutes * 60));
    asked.wall_said = true;
  }
  if (options.candidates > 0) asked.budget.candidates = options.candidates;
  const bool said = asked.budget.usd || asked.budget.tokens;
  if (!options.model.has_model()) return CommandBudget{asked.budget, said};
  return CommandBudget{run::with_model_defaults(asked, options.model.counts_tokens()), said};
}

/// A limit in money needs models with known prices. Without such a limit an unknown price only causes a note.
Result<void> check_prices(const tune::ModelOptions &options, const tune::ModelProviders &models,
                          const search::Budget &budget) {
  for (const auto &choice : tune::model_choices(options))
    if (budget.usd && provider::provider_kind(choice.provider)->hides_cost)
      return user_error("the budget limits money, but cupilot cannot know what --provider " +
                        choice.provider + " costs; limit candidates, time or tokens instead");
  for (const auto &model : models.without_price()) {
    if (budget.usd)
      return user_error("the budget limits money, but the price of '" + model +
                        "' is not known; give it with --price IN/OUT (USD per million tokens), or in the "
                        "file $CUPILOT_PRICES or ~/.config/cupilot/prices.txt");
    log::warning("the price of '" + model +
                 "' is not known (--price IN/OUT): its costs are shown as $0, but its tokens are counted");
  }
  return {};
}

/// Prints the default limits that apply because the user gave none.
void tell_default_limit(const tune::ModelOptions &options, const CommandBudget &budget) {
  if (options.counts_tokens() && !budget.models_said)
    log::note("no limit for money or tokens was given: each kernel may use " +
              run::tokens_text(run::kDefaultTokens) + " tokens; --budget changes the limit");
}

/// The project that a consent is for: the source folder, whatever the build folder.
std::string project_of(const project::BuildFolder &build) {
  return (build.source_folder.empty() ? build.path : build.source_folder).string();
}

run::ProgressStyle style_of(const std::string &word) {
  if (word == "plain") return run::ProgressStyle::plain;
  return word == "none" ? run::ProgressStyle::none : run::ProgressStyle::automatic;
}

/// Two tunes in one build folder would judge everything twice and overwrite each other's results.
Result<FileLock> lock_run(const project::BuildFolder &build) {
  auto lock = FileLock::acquire(build.run_folder() / "lock");
  if (!lock && lock.error().blame == Blame::user)  // the lock is held by another process
    return within("another cupilot tune is running in '" + build.path.string() + "'", lock.error());
  return lock;
}

Result<std::vector<project::ProjectKernel>> kernels_to_tune(const TuneOptions &options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  CUPILOT_CHECKED(project::report_diagnostics(project));
  CUPILOT_TRY(kernels, project::select_kernels(project, options.project.kernels));
  if (kernels.empty())
    return user_error("no kernel of this build is annotated; put '#pragma cupilot optimize' before one");
  return kernels;
}

/// Checked first, so that an hour of tuning does not end with "permission denied".
Result<void> check_records(const std::vector<project::ProjectKernel> &kernels) {
  std::set<std::filesystem::path> folders;
  for (const auto &kernel : kernels) folders.insert(kernel.records);
  for (const auto &folder : folders) CUPILOT_CHECKED(record::check_writable(folder));
  return {};
}

std::string architectures_text(const spec::KernelSpec &spec) {
  const auto &names = spec.command.architectures;
  return names.empty() ? "the compiler's own choice" : join(names, ", ");
}

/// A note, not an error: the record is valid, and a build for this GPU will use it.
void warn_if_unused(const std::vector<project::ProjectKernel> &kernels, const std::string &architecture) {
  for (const auto &kernel : kernels)
    if (!records::is_compiled_for(kernel.spec, architecture))
      log::warning(kernel.spec.name + " is compiled for " + architectures_text(kernel.spec) + ", not for " +
                   architecture + ": this build will not use the record (CMAKE_CUDA_ARCHITECTURES)");
}

int exit_code(const std::vector<tune::TuneEntry> &entries) {
  if (const int signalled = run::interrupted_exit_code()) return signalled;
  bool refused = false;
  for (const auto &entry : entries) {
    if (entry.result() == "failed" && !entry.refused) return 1;
    refused = refused || entry.refused;
  }
  return refused ? 2 : 0;
}

void say_waiting(const std::string &message) {
  run::clear_rewritten_line();
  log::note(message);
}

tune::Question question_of(const tune::ModelOptions &options) {
  return {.accepted = options.accept_data_policy,
          .terminal = ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO)};
}

/// Needs neither a GPU nor the lock, because nothing is judged.
Result<int> print_data_policy(TuneOptions options) {
  CUPILOT_TRY(kernels, kernels_to_tune(options));
  run::choose_executor(options.executor);
  CUPILOT_TRY(architecture, run::choose_architecture(options.executor, kernels));
  const auto policy = tune::data_policy_of(options.model, kernels, architecture);
  CUPILOT_CHECKED(options.json ? report::print(tune::data_policy_json(policy))
                               : report::print(tune::data_policy_text(policy, true)));
  return 0;
}

/// The recordings that a search is replayed from: answers, verdicts, or both.
struct Recordings {
  std::optional<provider::Recording> answers, verdicts;
};

Result<std::optional<provider::Recording>> load_recording(const std::string &file, const char *option) {
  if (file.empty()) return std::nullopt;
  auto text = read_file(file);
  if (!text) return user_error(std::string(option) + ": " + text.error().message);
  auto recording = provider::recording_from(*text);
  if (!recording) return user_error(std::string(option) + ": '" + file + "': " + recording.error().message);
  return std::move(*recording);
}

Result<Recordings> load_recordings(TuneOptions &options) {
  CUPILOT_TRY(answers, load_recording(options.model.replay, "--replay"));
  CUPILOT_TRY(verdicts, load_recording(options.executor.recording(), "--executor replay"));
  Recordings recordings{std::move(answers), std::move(verdicts)};
  if (recordings.answers) tune::adopt_recording(options.model, *recordings.answers);
  if (recordings.answers && options.seed == 0) options.seed = recordings.answers->seed;
  if (recordings.verdicts && options.executor.architecture.empty())
    options.executor.architecture = recordings.verdicts->architecture;
  return recordings;
}

/// A recording without a history: nothing was known.
Result<history::KnownHistory> history_of(const provider::Recording &recording) {
  if (recording.history.empty()) return history::KnownHistory();
  auto known = history::known_history_from_json(recording.history);
  if (!known) return within("the history in the recording", known.error());
  return std::move(*known);
}

bool estimated(const provider::Recording &recording) {
  return std::ranges::any_of(recording.verdicts, [](const provider::RecordedVerdict &one) {
    return !one.verdict.estimates.empty();
  });
}

Result<void> use_recordings(const Recordings &recordings, tune::SessionSettings &settings) {
  if (recordings.verdicts) {
    settings.recorded = &*recordings.verdicts;
    settings.tune.estimates = estimated(*recordings.verdicts);
    settings.publish = false;  // nothing was judged here
  }
  const auto &history = recordings.answers ? recordings.answers : recordings.verdicts;
  if (!history) return {};
  CUPILOT_TRY(known, history_of(*history));
  settings.history = std::move(known);
  return {};
}

Result<int> tune_kernels(TuneOptions options) {
  CUPILOT_CHECKED(role::load_prompts_of_environment());
  CUPILOT_TRY(recordings, load_recordings(options));
  CUPILOT_CHECKED(tune::check_model_options(options.model));
  CUPILOT_TRY(budget, budget_of(options));
  CUPILOT_TRY(folder, project::build_folder_of(options.project.inputs));
  CUPILOT_TRY(build, project::open_build_folder(folder));
  if (options.model.data_policy) return print_data_policy(options);
  CUPILOT_TRY(lock, lock_run(build));
  CUPILOT_TRY(kernels, kernels_to_tune(options));
  if (options.model.settings.dialect == role::kCuteDialect) CUPILOT_CHECKED(tune::check_cute(kernels));
  if (!options.no_publish && !recordings.verdicts) CUPILOT_CHECKED(check_records(kernels));

  run::choose_executor(options.executor);
  const auto &stop = run::catch_interrupts();
  CUPILOT_TRY(executor, run::make_executor(options.executor, stop));
  CUPILOT_TRY(architecture, run::choose_architecture(options.executor, kernels));
  warn_if_unused(kernels, architecture);
  const auto progress = run::make_progress(style_of(options.progress));
  CUPILOT_TRY(annotate, project::find_annotate());
  provider::BuiltinProvider rules({annotate.string()});
  CUPILOT_TRY(models, tune::make_model_providers(options.model, rules, stop, say_waiting));
  CUPILOT_CHECKED(check_prices(options.model, models, budget.budget));
  CUPILOT_CHECKED(tune::obtain_consent(tune::data_policy_of(options.model, kernels, architecture),
                                       project_of(build), tune::Consents::of_user(),
                                       question_of(options.model)));
  tell_default_limit(options.model, budget);
  tune::SessionSettings settings;
  CUPILOT_TRY(toolchain, run::choose_toolchain(options.executor, kernels[0].spec.command));
  settings.toolchain = toolchain;
  settings.tune.architecture = architecture;
  settings.tune.estimates = options.executor.cpu();
  settings.tune.budget = budget.budget;
  settings.tune.policy = options.model.policy;
  settings.tune.options = options.model.settings;
  settings.share_models_budget = budget.models_said;
  settings.model_words = tune::model_words(options.model);
  settings.tune.seed = options.seed;
  settings.tune.waived = options.executor.waived;
  settings.run_folder = build.run_folder();
  settings.build = build.path;
  settings.publish = !options.no_publish;
  CUPILOT_CHECKED(use_recordings(recordings, settings));
  if (options.fresh) CUPILOT_CHECKED(tune::put_aside(settings.run_folder));

  CUPILOT_TRY(entries, tune::tune_kernels(kernels, settings, *executor, models.providers(), *progress, stop));
  const bool interrupted = run::interrupted_exit_code() != 0;
  CUPILOT_CHECKED(options.json ? report::print(tune::summary_json(entries, interrupted))
                               : report::print(tune::summary_text(entries)));
  return exit_code(entries);
}

}  // namespace

Verb add_tune(CLI::App &app) {
  const auto options = std::make_shared<TuneOptions>();
  auto *command =
      app.add_subcommand("tune", "Search for faster variants, judge them, publish the winners as records");
  command->footer(tune_help());
  command->add_option("build", options->build, "The build folder; default: this one, or build/ in it")
      ->type_name("BUILD");
  command->add_option("--kernel", options->project.kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--target", options->project.target, "Only this target");
  options->executor.may_replay = true;
  run::add_executor_options(*command, options->executor);
  tune::add_model_options(*command, options->model);
  command->add_option("--budget", options->budget,
                      "Limits of the search, like \"$5, 30 min, 200 candidates\"; see below");
  command->add_option("--minutes", options->minutes, "The time limit of --budget, in minutes")
      ->check(CLI::PositiveNumber);
  command->add_option("--candidates", options->candidates, "The number of candidates of --budget")
      ->check(CLI::PositiveNumber);
  command->add_option("--seed", options->seed, "Seed of the input data and of the search")
      ->capture_default_str();
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  command->add_flag("--no-publish", options->no_publish, "Write no records");
  command->add_flag("--fresh", options->fresh, "Start over; the old run is kept beside the new one as *.old");
  command->add_flag("--json", options->json, "The summary as JSON on stdout");
  command->add_option("--progress", options->progress, "Style of the progress lines: auto, plain or none")
      ->check(CLI::IsMember({"auto", "plain", "none"}))
      ->capture_default_str();
  return {command, [options](const auto &compiler) {
            if (!options->build.empty()) options->project.inputs = {options->build};
            options->project.compiler = compiler;
            return tune_kernels(*options);
          }};
}

}  // namespace cupilot::cli
