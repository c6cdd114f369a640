// SPDX-License-Identifier: Apache-2.0
//
// cupilot-worker: runs a bundle on this machine's GPU. Results are JSON lines on stdout, talk is on stderr.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "driver/worker/child.h"
#include "driver/worker/messages.h"
#include "driver/worker/worker.h"

namespace {

constexpr int kDone = 0, kFailed = 1, kBadUsage = 2;

constexpr const char *kHelp =
    "usage: cupilot-worker BUNDLE [--jobs N] [--only ID,...] [--verbose]\n"
    "Builds, verifies and times every candidate of a bundle folder on this machine's GPU and writes\n"
    "candidates/<id>/verdict.json. Candidates that have one are skipped.\n"
    "  --jobs N        parallel builds (default: one less than the cores)\n"
    "  --only ID,...   these candidates only\n"
    "  --verbose       show what the child processes say\n";

int bad_usage(const std::string &message) {
  cupilot::log::error(message);
  std::fputs(kHelp, stderr);
  return kBadUsage;
}

void emit(const std::string &line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

int run(const cupilot::WorkerOptions &options) {
  const auto result = cupilot::run_worker(options, emit);
  if (!result) {
    cupilot::log::error(result.error().message);
    emit(cupilot::error_event(result.error().message));
  }
  emit(cupilot::done_event());
  return result ? kDone : kFailed;
}

}  // namespace

int main(int argc, char **argv) {
  cupilot::log::set_program("cupilot-worker");
  if (argc == 2 && std::string_view(argv[1]) == cupilot::kChildVerb) return cupilot::child_main();
  cupilot::WorkerOptions options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--help") return std::fputs(kHelp, stdout), kDone;
    if (argument == "--verbose") {
      cupilot::log::set_debug(true);
    } else if (argument == "--jobs" && has_value) {
      options.jobs = static_cast<unsigned>(std::atoi(argv[++i]));
      if (options.jobs == 0) return bad_usage("--jobs wants a number from 1");
    } else if (argument == "--only" && has_value) {
      options.only = cupilot::split(argv[++i], ',');
    } else if (argument.starts_with("-")) {
      return bad_usage("unknown or incomplete option '" + std::string(argument) + "'");
    } else if (options.bundle.empty()) {
      options.bundle = argument;
    } else {
      return bad_usage("one bundle at a time");
    }
  }
  if (options.bundle.empty()) return bad_usage("no bundle given");
  return run(options);
}
