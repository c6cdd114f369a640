// SPDX-License-Identifier: Apache-2.0
//
// cupilot profile: runs the user's program, tells which of its kernels take the time and whether cupilot can
// take them, and puts pragmas before those that are worth it.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/project/pragmas.h"
#include "driver/cli/project/project.h"
#include "driver/cli/report/output.h"
#include "driver/cli/report/profile_report.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/run/watched.h"
#include "driver/cli/text/unified_diff.h"
#include "driver/cli/verbs.h"
#include "evolution/capture/shapes.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kProfileHelp = R"(Examples:
  cupilot profile build/ -- build/app --size 1000
  cupilot profile build/ --annotate          # of the last profile; shows the diff and asks
Runs the program and lists its kernels, those that take most of the time first: what each launch moves at
least, how long memory alone would take for it (floor), and whether cupilot can tune it, or what that needs.
Nothing has to be annotated. On the CPU, work is counted in executed instructions, and times are not known.
--annotate puts '#pragma cupilot optimize' before the kernels that can be tuned and take --least of the work.
On a GPU machine that has no cupilot: --prepare DIR here, copy DIR and lib/cupilot/libcupilot-watcher.so there, run
  CUPILOT_CAPTURE=DIR CUPILOT_ORIGINAL=1 CUDA_INJECTION64_PATH=libcupilot-watcher.so app
copy DIR back, and --read DIR here.
States: tunable; annotated; not_swapped: no launch that a build can swap is in its file; no_workload: its launches
are given what no workload can say; not_read: its definition cannot be taken out; foreign: not in these sources.
--json: {"cupilot_profile":1,"program":[...],"exit_code":0,"unit":"us","kernels":[{"kernel","place","launches",
  "shapes","work","share","bytes","floor_us","state","detail"}]}
Exit codes: 0 fine, 1 the program failed or launched no kernel, 2 a mistake in the command line or the input.)";

constexpr const char *kRunFile = "profile.json";
constexpr std::uint64_t kLooks = 3;  ///< of each shape; the first one's time may include loading the kernel

struct ProfileOptions {
  project::ProjectRequest project{.analyse = false, .every_kernel = true};
  run::WatchOptions how;
  double least = 1;  ///< per cent
  bool annotate = false, yes = false, json = false;
};

std::vector<const report::ProfiledKernel *> worth_a_pragma(const report::Profile &profile, double least) {
  std::vector<const report::ProfiledKernel *> rows;
  for (const auto &row : profile.kernels)
    if (row.state == report::TuneState::tunable && 100 * profile.share(row) >= least) rows.push_back(&row);
  return rows;
}

/// A kernel in a header from elsewhere is not the project's to change.
Result<std::vector<spec::Definition>> definitions_of(
    const std::vector<const report::ProfiledKernel *> &kernels, const fs::path &source_folder) {
  std::vector<spec::Definition> definitions;
  for (const report::ProfiledKernel *row : kernels) {
    const auto relative = fs::path(row->definition->beginning.file).lexically_relative(source_folder);
    if (relative.empty() || *relative.begin() == "..")
      log::note("'" + row->kernel + "' is not annotated: " + row->definition->beginning.file +
                " is not in the project's folder");
    else if (std::ranges::find(definitions, row->definition->beginning, &spec::Definition::beginning) ==
             definitions.end())
      definitions.push_back(*row->definition);
  }
  return definitions;
}

bool agrees() {
  std::cerr << "write this? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer.starts_with('y') || answer.starts_with('Y');
}

Result<void> annotate_sources(const ProfileOptions &options, const report::Profile &profile,
                              const project::BuildFolder &build) {
  CUPILOT_TRY(definitions, definitions_of(worth_a_pragma(profile, options.least), build.source_folder));
  if (definitions.empty()) {
    log::note(
        fmt::format("no kernel that can be tuned takes {:g} % of the work and has no pragma", options.least));
    return {};
  }
  CUPILOT_TRY(edits, project::add_pragmas(definitions));
  std::string diff;
  for (const auto &edit : edits) {
    const auto name = edit.file.lexically_relative(build.source_folder).string();
    diff += text::unified_diff(edit.before, edit.after, "a/" + name, "b/" + name);
  }
  log::print(diff);
  if (!options.yes && ::isatty(STDIN_FILENO) == 0) {
    log::note("nothing was written; with --yes it is");
    return {};
  }
  if (!options.yes && !agrees()) return {};
  CUPILOT_CHECKED(project::write_edits(edits));
  log::note(fmt::format("{} kernel{} annotated; next: cupilot capture {} -- {}", definitions.size(),
                        definitions.size() == 1 ? "" : "s", shell_quote(build.path.string()),
                        profile.run.program.empty() ? "PROGRAM" : join(profile.run.program, " ")));
  return {};
}

std::string run_text(const report::ProfiledRun &run) {
  return report::Json{{"program", run.program},
                      {"architecture", run.architecture},
                      {"cpu", run.cpu},
                      {"exit_code", run.exit_code}}
             .dump() +
         "\n";
}

/// Of a folder that only a watcher wrote into, nothing is known.
report::ProfiledRun run_in(const fs::path &folder) {
  report::ProfiledRun run;
  const auto text = read_file(folder / kRunFile);
  const auto json = nlohmann::json::parse(text ? *text : "", nullptr, false);
  if (!json.is_object()) return run;
  run.program = json.value("program", run.program);
  run.architecture = json.value("architecture", run.architecture);
  run.cpu = json.value("cpu", run.cpu);
  run.exit_code = json.value("exit_code", run.exit_code);
  return run;
}

capture::Watch watch_of(const project::Project &project) {
  capture::Watch watch;
  watch.kernels = run::watched_kernels(project.kernels);
  watch.others = true;
  watch.take = kLooks;
  watch.most_bytes = 0;
  return watch;
}

/// Errors in annotations are told, but are no obstacle here. Kernels of one name are no error before anybody
/// has annotated them; the first one is taken for all of them.
Result<project::Project> read_sources(const ProfileOptions &options) {
  CUPILOT_TRY(project, project::read_project(options.project));
  for (const auto &diagnostic : project.diagnostics) {
    const bool of_none = std::ranges::any_of(project.definitions, [&](const auto &definition) {
      return !definition.annotated && definition.place == diagnostic.place;
    });
    if (diagnostic.severity == Severity::error && !of_none) log::print(render(diagnostic));
  }
  return project;
}

Result<int> conclude(const ProfileOptions &options, const project::Project &project,
                     const project::BuildFolder &build, const fs::path &folder) {
  auto run = run_in(folder);
  if (!options.how.executor.architecture.empty()) run.architecture = options.how.executor.architecture;
  CUPILOT_TRY(seen, capture::read_seen(folder));
  const auto profile = report::profile_of(run, project, seen);
  CUPILOT_CHECKED(options.json ? report::print(report::profile_json(profile))
                               : report::print(report::profile_text(profile)));
  if (seen.others > 0)
    log::note(
        fmt::format("{} launch{} counted only: not at its end when the program was killed, of too "
                    "many shapes, or of a graph whose kernels could not be timed",
                    seen.others, seen.others == 1 ? " was" : "es were"));
  if (options.annotate) {
    CUPILOT_CHECKED(annotate_sources(options, profile, build));
  } else if (const auto worth = worth_a_pragma(profile, options.least).size()) {
    log::note(
        fmt::format("{} kernel{} can be tuned and take{} {:g} % of the work or more; cupilot profile {} "
                    "--annotate puts pragmas before {}",
                    worth, worth == 1 ? "" : "s", worth == 1 ? "s" : "", options.least,
                    shell_quote(build.path.string()), worth == 1 ? "it" : "them"));
  }
  return profile.run.exit_code == 0 && !profile.kernels.empty() ? 0 : 1;
}

Result<int> profile_program(ProfileOptions options, const std::vector<std::string> &program) {
  if (!program.empty() && (!options.how.prepare.empty() || !options.how.read.empty()))
    return user_error("--prepare and --read run no program");
  CUPILOT_TRY(project, read_sources(options));
  if (!project.build) return user_error("a profile needs a build folder; files have no program");
  const project::BuildFolder build = *project.build;
  if (!options.how.prepare.empty()) {
    CUPILOT_CHECKED(run::prepare_watch(watch_of(project), options.how.prepare));
    return 0;
  }
  const auto last = build.path / "cupilot" / "profile";
  if (!options.how.read.empty()) return conclude(options, project, build, options.how.read);
  std::error_code ignored;
  if (program.empty()) {
    if (!fs::exists(last / kRunFile, ignored))
      return user_error("nothing was profiled yet; write the program after '--'");
    return conclude(options, project, build, last);
  }
  run::choose_executor(options.how.executor);
  report::ProfiledRun run{program, options.how.executor.architecture, options.how.executor.cpu()};
  if (run.architecture.empty() && run.cpu) run.architecture = "sm_90";
  if (run.architecture.empty())
    if (const auto here = run::choose_architecture(options.how.executor, {})) run.architecture = *here;
  // The last profile stays until there is another one.
  const auto fresh = last.parent_path() / "profile.new";
  fs::remove_all(fresh, ignored);
  CUPILOT_TRY(code,
              run::run_watched({program, "cupilot profile build/ -- build/app", run.cpu, run.architecture},
                               watch_of(project), fresh));
  run.exit_code = code;
  CUPILOT_CHECKED(write_file_atomic(fresh / kRunFile, run_text(run)));
  fs::remove_all(last, ignored);
  fs::rename(fresh, last, ignored);
  if (ignored) return fail("cannot write '" + last.string() + "': " + ignored.message());
  return conclude(options, project, build, last);
}

}  // namespace

Verb add_profile(CLI::App &app) {
  const auto options = std::make_shared<ProfileOptions>();
  auto *command =
      app.add_subcommand("profile", "Run a program and list which kernels take the time and can be tuned");
  command->footer(kProfileHelp);
  run::add_watch_options(*command, options->project, options->how);
  command->add_option("--arch", options->how.executor.architecture,
                      "Architecture whose memory the floor is of; of the emulated GPU with --executor cpu "
                      "(default: this GPU's, or sm_90)");
  command->add_option("--jobs", options->project.jobs, "Number of sources parsed in parallel")
      ->check(CLI::PositiveNumber);
  command->add_flag(
      "--annotate", options->annotate,
      "Put pragmas before the kernels that are worth it; without a program: of the last profile");
  command->add_option("--least", options->least, "Share of the work that is worth a pragma")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
  command->add_flag("--yes", options->yes, "Write the pragmas without asking");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &program) { return profile_program(*options, program); }};
}

}  // namespace cupilot::cli
