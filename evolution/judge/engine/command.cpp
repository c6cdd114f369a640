// SPDX-License-Identifier: Apache-2.0
//
// Reads the command line: BUNDLE and its options. Events are JSON lines on stdout, messages for people go to
// stderr.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "annotate/support/log.h"
#include "annotate/support/text.h"
#include "evolution/judge/engine/child.h"
#include "evolution/judge/engine/messages.h"
#include "evolution/judge/engine/sanitizer.h"
#include "evolution/judge/engine/worker.h"

namespace cupilot::judge::engine {

namespace {

constexpr int kDone = 0, kFailed = 1, kBadUsage = 2;

void emit(const std::string &line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

int run(const Engine &engine, const WorkerOptions &options) {
  const auto result = run_worker(engine, options, emit);
  if (!result) {
    log::error(result.error().message);
    emit(error_event(result.error()));
  }
  emit(done_event());
  return result ? kDone : kFailed;
}

/// Returns what is wrong with the words; empty when they are valid.
std::string read_words(int argc, char **argv, WorkerOptions &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--verbose") {
      log::set_debug(true);
    } else if (argument == "--jobs" && has_value) {
      options.jobs = static_cast<unsigned>(std::atoi(argv[++i]));
      if (options.jobs == 0) return "--jobs needs a number of at least 1";
    } else if (argument == "--only" && has_value) {
      options.only = split(argv[++i], ',');
    } else if (argument.starts_with("-")) {
      return fmt::format("unknown option '{}', or an option without its value", argument);
    } else if (options.bundle.empty()) {
      options.bundle = argument;
    } else {
      return "more than one bundle was given; give exactly one";
    }
  }
  return options.bundle.empty() ? "no bundle was given" : "";
}

}  // namespace

int run_worker_program(const Engine &engine, int argc, char **argv, const char *help) {
  if (argc == 3 && std::string_view(argv[1]) == kChildVerb) return child_main(engine, argv[2]);
  if (argc == 4 && std::string_view(argv[1]) == kSanitizedVerb)
    return sanitized_main(engine, argv[2], argv[3]);
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help") return std::fputs(help, stdout), kDone;
  WorkerOptions options;
  if (const std::string wrong = read_words(argc, argv, options); !wrong.empty()) {
    log::error(wrong);
    std::fputs(help, stderr);
    return kBadUsage;
  }
  return run(engine, options);
}

}  // namespace cupilot::judge::engine
