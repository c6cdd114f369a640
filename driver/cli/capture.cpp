// SPDX-License-Identifier: Apache-2.0
//
// cupilot capture: runs the user's program, looks at the launches of the annotated kernels, and writes what
// they were given as workloads beside the records. The program is not changed: a library inside of it
// watches (the stand-in runtime on the CPU; on a GPU, one that the CUDA driver loads).

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "annotate/directive/workload_file.h"
#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/cli/project/annotation.h"
#include "driver/cli/project/project.h"
#include "driver/cli/report/output.h"
#include "driver/cli/run/executors.h"
#include "driver/cli/run/watched.h"
#include "driver/cli/text/lookup.h"
#include "driver/cli/text/table.h"
#include "driver/cli/verbs.h"
#include "evolution/capture/shapes.h"
#include "evolution/capture/workloads.h"

namespace cupilot::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *kCaptureHelp = R"(Examples:
  cupilot capture build/ -- build/app --size 1000
  cupilot capture build/ --executor cpu --kernel rms_norm --take 1 -- build/app
Runs the program and writes tuned/<kernel>/workloads.txt for each annotated kernel that it launches: sizes and launch
as expressions over the kernel's numbers, what each buffer is for and holds, and how much of the work each shape is.
Read it, edit it, commit it: `tune` and all other verbs use it beside the pragmas in the source. The next capture
writes the workloads called seen<n> anew and keeps others.
On the CPU the program needs PTX for the emulated architecture or an older one (nvcc -arch=sm_90 includes it).
On a GPU machine that has no cupilot: --prepare DIR here, copy DIR and lib/cupilot/libcupilot-watcher.so there, run
  CUPILOT_CAPTURE=DIR CUPILOT_ORIGINAL=1 CUDA_INJECTION64_PATH=libcupilot-watcher.so app
copy DIR back, and --read DIR here.
--json: {"cupilot_capture":1,"program":[...],"exit_code":0,"kernels":[{"kernel","launches","shapes","workloads",
  "file","missing","notes"}]}
Exit codes: 0 fine, 1 the program failed, or no annotated kernel got a workload, 2 a mistake in the command line or
the input.)";

struct CaptureOptions {
  project::ProjectRequest project;
  run::WatchOptions how;
  capture::Watch watch;
  capture::WorkloadOptions workloads;
  std::string architecture = "sm_90";
  std::uint64_t most_mb = 256;
  bool dry_run = false, json = false;
};

struct Captured {
  std::string kernel;
  std::uint64_t launches = 0;
  std::size_t shapes = 0;
  capture::Workloads workloads;
  fs::path file;
};

Captured captured(const project::ProjectKernel &kernel, const capture::Seen &seen,
                  const CaptureOptions &options) {
  Captured made{kernel.spec.name, 0, 0, {}, kernel.records / kernel.spec.name / directive::kWorkloadFile};
  std::vector<capture::SeenShape> shapes;
  for (const auto &shape : seen.shapes)
    if (shape.first.kernel == kernel.spec.name) shapes.push_back(shape);
  made.shapes = shapes.size();
  for (const auto &shape : shapes) made.launches += shape.launches;
  made.workloads = capture::workloads_of(kernel.spec, shapes, options.workloads);
  return made;
}

/// Files that were written, with what stood in them before; none: they were not there.
using Written = std::vector<std::pair<fs::path, std::optional<std::string>>>;

Result<void> write(const Captured &kernel, const std::string &command, Written &written) {
  std::error_code failed;
  fs::create_directories(kernel.file.parent_path(), failed);
  const auto old = read_file(kernel.file);
  written.emplace_back(kernel.file, old ? std::optional(*old) : std::nullopt);
  return write_file_atomic(kernel.file, capture::workload_file(old ? *old : "", kernel.workloads, command));
}

std::string text_of(const std::vector<Captured> &kernels, bool dry_run) {
  text::Table table({{"kernel"}, {"launches"}, {"shapes"}, {"workloads"}});
  std::string notes;
  for (const auto &kernel : kernels) {
    table.add({kernel.kernel, std::to_string(kernel.launches), std::to_string(kernel.shapes),
               kernel.workloads.ids.empty() ? "none" : join(kernel.workloads.ids, ", ")});
    if (!kernel.workloads.missing.empty()) notes += kernel.kernel + ": " + kernel.workloads.missing + "\n";
    for (const auto &note : kernel.workloads.notes) notes += kernel.kernel + ": " + note + "\n";
    if (kernel.workloads.text.empty()) continue;
    notes += dry_run ? kernel.workloads.text : "written: " + kernel.file.string() + "\n";
  }
  return table.text() + (notes.empty() ? "" : "\n" + notes);
}

report::Json json_of(const std::vector<Captured> &kernels, const std::vector<std::string> &program,
                     int code) {
  auto list = report::Json::array();
  for (const auto &kernel : kernels)
    list.push_back({{"kernel", kernel.kernel},
                    {"launches", kernel.launches},
                    {"shapes", kernel.shapes},
                    {"workloads", kernel.workloads.ids},
                    {"file", kernel.file.string()},
                    {"text", kernel.workloads.text},
                    {"missing", kernel.workloads.missing},
                    {"notes", kernel.workloads.notes}});
  return {{"cupilot_capture", 1}, {"program", program}, {"exit_code", code}, {"kernels", list}};
}

/// That kernels have no workload yet is no news here.
Result<project::Project> read_kernels(const project::ProjectRequest &request) {
  CUPILOT_TRY(project, project::read_project(request));
  std::erase_if(project.diagnostics, [](const auto &one) { return one.severity != Severity::error; });
  CUPILOT_CHECKED(project::report_diagnostics(project));
  return project;
}

/// What was written is read once more as every other verb will read it. If one of them could not, none of it
/// stays.
Result<void> check_written(const CaptureOptions &options, const Written &written) {
  auto request = options.project;
  request.analyse = false;
  const auto project = read_kernels(request);
  if (project) return {};
  for (const auto &[file, before] : written) {
    std::error_code ignored;
    if (before) {
      CUPILOT_CHECKED(write_file_atomic(file, *before));
    } else {
      fs::remove(file, ignored);
      fs::remove(file.parent_path(), ignored);  // unless there are records in it
    }
  }
  return fail(
      "the workloads that follow from what was seen cannot be read, as told above; nothing was written");
}

capture::Watch watch_of(CaptureOptions options, const std::vector<project::ProjectKernel> &kernels) {
  options.watch.kernels = run::watched_kernels(kernels);
  options.watch.most_bytes = options.most_mb << 20;
  return std::move(options.watch);
}

/// The kernels, those that were launched with their lifted forms.
Result<std::vector<project::ProjectKernel>> analysed(const CaptureOptions &options,
                                                     const capture::Seen &seen) {
  auto request = options.project;
  request.kernels.clear();
  for (const auto &shape : seen.shapes)
    if (!text::contains(request.kernels, shape.first.kernel)) request.kernels.push_back(shape.first.kernel);
  request.analyse = !request.kernels.empty();
  CUPILOT_TRY(project, read_kernels(request));
  return project::select_kernels(project, options.project.kernels);
}

/// Workloads from what is in the folder.
Result<int> conclude(const CaptureOptions &options, const fs::path &folder,
                     const std::vector<std::string> &program, int code) {
  CUPILOT_TRY(seen, capture::read_seen(folder));
  if (seen.others > 0)
    log::note(
        fmt::format("{} launches were of shapes that no launch was looked at: skipped, or too many "
                    "different ones",
                    seen.others));
  if (seen.damaged > 0)
    log::note(fmt::format("{} line{} cut off, of a process that was killed", seen.damaged,
                          seen.damaged == 1 ? " is" : "s are"));
  CUPILOT_TRY(kernels, analysed(options, seen));
  std::vector<Captured> all;
  for (const auto &kernel : kernels) all.push_back(captured(kernel, seen, options));
  bool any = false;
  Written written;
  for (const auto &kernel : all) {
    if (kernel.workloads.text.empty()) continue;
    any = true;
    const auto command = program.empty() ? "a capture" : "'" + printable(join(program, " ")) + "'";
    if (!options.dry_run) CUPILOT_CHECKED(write(kernel, command, written));
  }
  if (!written.empty()) CUPILOT_CHECKED(check_written(options, written));
  CUPILOT_CHECKED(options.json ? report::print(json_of(all, program, code))
                               : report::print(text_of(all, options.dry_run)));
  return code == 0 && any ? 0 : 1;
}

Result<int> capture_program(CaptureOptions options, const std::vector<std::string> &program) {
  const bool runs = options.how.prepare.empty() && options.how.read.empty();
  if (runs && program.empty()) return user_error("no program was given; write it after '--'");
  if (!runs && !program.empty()) return user_error("--prepare and --read run no program");
  if (!options.how.read.empty()) return conclude(options, options.how.read, {}, 0);
  if (runs) run::choose_executor(options.how.executor);
  auto request = options.project;
  request.analyse = false;
  CUPILOT_TRY(project, read_kernels(request));
  CUPILOT_TRY(kernels, project::select_kernels(project, options.project.kernels));
  if (kernels.empty())
    return user_error("no kernel here is annotated; put '#pragma cupilot optimize' before one");
  const auto watch = watch_of(options, kernels);
  if (!options.how.prepare.empty()) {
    CUPILOT_CHECKED(run::prepare_watch(watch, options.how.prepare));
    return 0;
  }
  CUPILOT_TRY(scratch, TemporaryFolder::create("cupilot-capture"));
  const run::WatchedRun run{program, "cupilot capture build/ -- build/app", options.how.executor.cpu(),
                            options.architecture};
  CUPILOT_TRY(code, run::run_watched(run, watch, scratch.path()));
  return conclude(options, scratch.path(), program, code);
}

}  // namespace

Verb add_capture(CLI::App &app) {
  const auto options = std::make_shared<CaptureOptions>();
  auto *command =
      app.add_subcommand("capture", "Run a program and write workloads from what its kernels are given");
  command->footer(kCaptureHelp);
  run::add_watch_options(*command, options->project, options->how);
  command->add_option("--kernel", options->project.kernels, "Only this kernel; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--target", options->project.target, "Only this target");
  command->add_option("--records", options->project.records, "Records folder instead of the target's own");
  command
      ->add_option("--arch", options->architecture, "Architecture of the emulated GPU, with --executor cpu")
      ->capture_default_str();
  command->add_option("--skip", options->watch.skip, "Launches of each shape that are not looked at")
      ->capture_default_str();
  command->add_option("--take", options->watch.take, "Launches of each shape that are looked at after these")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--most", options->workloads.most,
                   "Timed workloads of a kernel at most; a further shape becomes a check, another a hold-out")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--contents", options->most_mb, "How much of each buffer is read")
      ->type_name("MIB")
      ->capture_default_str();
  command->add_flag("--dry-run", options->dry_run, "Print the workloads; write nothing");
  command->add_flag("--json", options->json, "JSON on stdout");
  return {command, [options](const auto &program) { return capture_program(*options, program); }};
}

}  // namespace cupilot::cli
