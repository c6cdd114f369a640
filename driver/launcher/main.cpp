// SPDX-License-Identifier: Apache-2.0
//
// cupilot-cc runs nvcc in a build; cupilot_tune() sets it as the compiler launcher. It prints nothing unless
// something is wrong or CUPILOT_EXPLAIN=1 asks for it.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/log.h"
#include "annotate/support/process.h"
#include "driver/launcher/compile.h"
#include "driver/launcher/last_resort.h"
#include "driver/launcher/limits.h"
#include "driver/launcher/stamp.h"
#include "driver/launcher/swap_build.h"

namespace {

namespace fs = std::filesystem;
using cupilot::launcher::Settings;

constexpr const char *kHelp =
    "usage: cupilot-cc [options] -- COMPILER ARGS...   run COMPILER with tuned kernels swapped in\n"
    "       cupilot-cc --refresh [options]             mark objects with added or removed records\n"
    "  --records DIR        folder of records (tuned/); may be repeated, the first match is used\n"
    "  --cache DIR          folder for generated files; default: beside the object\n"
    "  --annotate PATH      cupilot-annotate; default: beside cupilot-cc, then PATH\n"
    "  --support DIR        folder that holds cupilot/dispatch.cuh; default: the installed one\n"
    "  --accept-estimates   use records made from estimates too\n"
    "environment: CUPILOT_DISABLE=1 runs COMPILER unchanged, CUPILOT_EXPLAIN=1 prints every decision;\n"
    "in the built program CUPILOT_ORIGINAL=1 runs the original kernels, CUPILOT_LOG=1 or =FILE logs "
    "launches\n";

struct Arguments {
  cupilot::launcher::Settings settings;
  std::vector<std::string> command;
  bool refresh = false, help = false;
  std::string problem;
};

fs::path absolute(const char *path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal();
}

/// The folder without a slash at its end, so that its parent is the one that a record's paths start from.
fs::path folder(const char *path) {
  const auto text = absolute(path).string();
  return text.size() > 1 && text.ends_with('/') ? text.substr(0, text.size() - 1) : text;
}

bool takes_value(std::string_view word) {
  return word == "--records" || word == "--cache" || word == "--annotate" || word == "--support";
}

/// The user's command; null without one. It needs no memory: this is what runs when there is none.
char **command_of(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") return argv + i + 1;
    if (takes_value(word) && i + 1 < argc) ++i;
  }
  return nullptr;
}

Arguments parse(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") {
      arguments.command.assign(argv + i + 1, argv + argc);
      return arguments;
    }
    if (takes_value(word) && i + 1 < argc) {
      const char *value = argv[++i];
      if (word == "--records") arguments.settings.records.push_back(folder(value));
      if (word == "--cache") arguments.settings.cache = folder(value);
      if (word == "--annotate") arguments.settings.annotate = absolute(value);
      if (word == "--support") arguments.settings.support = folder(value);
    } else if (word == "--accept-estimates") {
      arguments.settings.accept_estimates = true;
    } else if (word == "--refresh") {
      arguments.refresh = true;
    } else if (word == "--help" || word == "-h") {
      arguments.help = true;
    } else if (arguments.problem.empty()) {
      arguments.problem = "unknown option '" + std::string(word) + "'";
    }
  }
  return arguments;
}

/// The headers are below the prefix of an installed program, and in the source tree for one that is not
/// installed.
fs::path default_support() {
  std::error_code ignored;
  const fs::path own = cupilot::own_folder();
  for (const char *place : {"../include", CUPILOT_SUPPORT_IN_SOURCE})
    if (auto path = (own / place).lexically_normal(); fs::exists(path / "cupilot/dispatch.cuh", ignored))
      return path;
  return {};
}

int run(int argc, char **argv) {
  namespace log = cupilot::log;
  cupilot::log::set_program("cupilot-cc");
  if (const char *explain = std::getenv("CUPILOT_EXPLAIN"); explain && *explain && *explain != '0')
    cupilot::log::set_debug(true);
  Arguments arguments = parse(argc, argv);
  if (arguments.help) return std::fputs(kHelp, stdout) < 0;
  if (arguments.settings.support.empty()) arguments.settings.support = default_support();
  if (arguments.refresh) {
    const auto done = cupilot::launcher::refresh_stamps(arguments.settings);
    if (!done) cupilot::log::error(done.error().message);
    return done ? 0 : 1;
  }
  if (arguments.command.empty()) {
    cupilot::log::error(arguments.problem.empty() ? "no compiler after '--'; see --help"
                                                  : arguments.problem + "; see --help");
    return 2;
  }
  if (!arguments.problem.empty()) {
    cupilot::log::warning(arguments.problem + ": the compiler runs unchanged");
    return cupilot::launcher::exec_command(arguments.command);
  }
  return cupilot::launcher::build(arguments.settings, arguments.command);
}

}  // namespace

int main(int argc, char **argv) {
  char **const command = command_of(argc, argv);
  const bool guarded = command && *command;
  if (guarded) {
    cupilot::launcher::guard_by(command);
    cupilot::launcher::limit_work(cupilot::launcher::kMostOwnSeconds);
  }
  try {
    return run(argc, argv);
  } catch (const std::exception &problem) {
    cupilot::launcher::run_guarded(problem.what());
  } catch (...) {
    cupilot::launcher::run_guarded("an unknown error");
  }
}
