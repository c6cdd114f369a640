// SPDX-License-Identifier: Apache-2.0
#include "driver/launcher/swap_build.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "annotate/support/files.h"
#include "annotate/support/log.h"
#include "driver/launcher/cache_file.h"
#include "driver/launcher/compile.h"
#include "driver/launcher/depfile.h"
#include "driver/launcher/limits.h"
#include "driver/launcher/object_check.h"
#include "driver/launcher/stamp.h"
#include "driver/launcher/wrapper.h"

namespace cupilot::launcher {
namespace {

namespace fs = std::filesystem;

/// A record may change while nvcc runs. Its file would then be older than the object, and no later build
/// would see the change.
constexpr int kMostAttempts = 3;

bool switched_off() {
  const char *value = std::getenv("CUPILOT_DISABLE");
  return value && *value && std::string_view(value) != "0";
}

/// The limit of a compile with tuned kernels; 0: none.
int swap_seconds() {
  const char *const value = std::getenv("CUPILOT_SWAP_SECONDS");
  if (!value || !*value) return kSwapSeconds;
  int seconds = 0;
  const auto end = value + std::strlen(value);
  const auto [rest, problem] = std::from_chars(value, end, seconds);
  return problem == std::errc() && rest == end && seconds >= 0 ? seconds : kSwapSeconds;
}

/// Whether the path can be written between the quotes of an #include.
bool plain_path(const fs::path &path) {
  return path.string().find_first_of("\"\\\n") == std::string::npos;
}

class SwapBuild {
public:
  SwapBuild(const Settings &settings, const CompileJob &job, std::vector<UserFile> files)
      : settings_(settings), job_(job), files_(std::move(files)), folder_(unit_folder(job, settings)) {}

  int run() {
    int exit_code = 0;
    Plan plan = make_plan(job_, files_, settings_, folder_, trouble_);
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      write_stamp(plan);
      exit_code = compile(plan);
      if (exit_code) break;
      finish_depfile(plan);
      if (plan_digest(unit_of(job_, files_), settings_) == plan.digest) break;
      plan = plan_again();
    }
    if (try_again_) outdate_object();
    if (!trouble_.text().empty()) log::warning(trouble_.text());
    return exit_code;
  }

private:
  /// Prints nothing: the messages are those of the first time.
  Plan plan_again() {
    const bool talkative = log::debug_on();
    log::set_debug(false);
    Trouble repeated;
    Plan plan = make_plan(job_, files_, settings_, folder_, repeated);
    log::set_debug(talkative);
    return plan;
  }

  void write_stamp(const Plan &plan) {
    const auto written =
        write_cache_file(stamp_path(folder_), stamp_text(unit_of(job_, files_), plan.relevant));
    stamped_ = written.has_value();
    if (!written) trouble_.add(written.error().message);
  }

  /// The swap failed for a reason that will pass. The stamp, which the depfile names, becomes newer than the
  /// object, so the next build compiles this source once more.
  void outdate_object() const {
    std::error_code ignored;
    if (stamped_) fs::last_write_time(stamp_path(folder_), fs::file_time_type::clock::now(), ignored);
  }

  /// An object that was not accepted must not be there if the plain compile fails too: make would link it.
  void remove_object() const {
    if (is_regular(job_.object)) {
      std::error_code ignored;
      fs::remove(job_.object, ignored);
    }
  }

  int compile(const Plan &plan) {
    try_again_ = false;
    if (!plan.swaps.empty()) {
      const auto swapped = compile_wrapped(plan);
      if (swapped) return 0;
      // only when the plain compile succeeds, because otherwise its errors are the ones to read
      const int exit_code = run_command(job_.command);
      if (exit_code == 0)
        trouble_.add(job_.source.string() + ": " + swapped.error().message +
                     ": the original kernels are used");
      return exit_code;
    }
    return run_command(job_.command);
  }

  Result<void> compile_wrapped(const Plan &plan) {
    if (!plain_path(job_.source) || !plain_path(folder_) || !plain_path(settings_.support))
      return fail("a path has a quote, a backslash or a line end and cannot be written into an #include");
    const auto texts = wrapper_texts(job_.source, plan.swaps, settings_.support, folder_);
    CUPILOT_TRY(wrapper, write_wrapper(job_.source, texts, folder_));
    auto command = job_.command;
    command[job_.source_at] = wrapper.string();
    const auto compiled = run_command_held(command, swap_seconds());
    if (compiled.timed_out) {
      remove_object();
      return fail("the compile with tuned kernels was ended after " + std::to_string(swap_seconds()) +
                  " s, the limit CUPILOT_SWAP_SECONDS");
    }
    if (compiled.exit_code) {
      remove_object();
      try_again_ = compiled.interrupted;
      const fs::path report = folder_ / "messages.txt";
      (void)write_cache_file(report, compiled.out + compiled.err);
      return fail((compiled.interrupted
                       ? "the compile with tuned kernels was interrupted and will be tried again"
                       : "a variant does not compile here") +
                  std::string("; see '") + report.string() + "'");
    }
    const auto object = read_regular_file(job_.object, kMostObjectBytes);
    if (!object) return fail(object.error().message);
    if (auto checked = check_object(*object); !checked) {
      remove_object();
      return fail("the object with tuned kernels cannot be used (" + checked.error().message + ")");
    }
    compiled.release();
    return {};
  }

  void finish_depfile(const Plan &plan) {
    if (job_.depfile.empty()) return;
    if (!is_regular(job_.depfile)) return;
    const auto text = read_regular_file(job_.depfile, kMostCacheBytes);
    if (!text) return;
    auto added = plan.dependencies;
    if (stamped_) added.push_back(stamp_path(folder_));  // make stops where a file is missing
    const auto edited = edit_depfile(*text, job_.source, folder_, added);
    if (edited.empty()) return;
    if (const auto written = write_cache_file(job_.depfile, edited); !written)
      trouble_.add(written.error().message);
  }

  const Settings &settings_;
  const CompileJob &job_;
  const std::vector<UserFile> files_;
  const fs::path folder_;
  Trouble trouble_;
  bool stamped_ = false, try_again_ = false;
};

}  // namespace

int build(const Settings &settings, const std::vector<std::string> &command) {
  if (switched_off()) return exec_command(command);
  std::string why;
  const auto job = recognise(command, why);
  if (!job) {
    if (log::debug_on()) log::debug("the command runs unchanged: " + why);
    return exec_command(command);
  }
  auto files = read_user_files(*job);
  if (std::ranges::none_of(files, [](const UserFile &file) { return mentions_pragma(file.content); }))
    return exec_command(command);
  return SwapBuild(settings, *job, std::move(files)).run();
}

}  // namespace cupilot::launcher
