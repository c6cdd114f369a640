// SPDX-License-Identifier: Apache-2.0
//
// compute-sanitizer's four tools on the kernels of one entry: each tool runs this program again with a verb
// of its own, which launches the entry on a few small cases and ends.

#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/engine/engine.h"
#include "evolution/judge/tools/sanitizer_report.h"
#include "evolution/model/bundle.h"

namespace cupilot {

struct ToolRun {
  std::string tool;  ///< "racecheck"
  std::vector<SanitizerFinding> findings;
  std::string not_run;  ///< why there is no answer; empty: it ran
  double seconds = 0;
};

/// What is sanitized in a bundle folder: "original", or a candidate's id.
struct SanitizerJob {
  std::filesystem::path bundle;
  std::string subject;
  double seconds = 40;  ///< of each tool; they run side by side
};

/// In the order memcheck, racecheck, initcheck, synccheck.
std::vector<ToolRun> run_sanitizer(const SanitizerJob &job);

/// The same of the original, kept in the bundle folder: asked for any number of times, run once.
std::vector<ToolRun> run_sanitizer_on_original(const std::filesystem::path &bundle);

/// What the tools find in the original, for the reference phase: one sentence a finding, without what
/// Bundle::waived vouches for ("shared-race", "uninitialised-read"). Empty where compute-sanitizer cannot
/// run.
std::vector<std::string> original_findings(const Bundle &bundle, const std::filesystem::path &folder);

/// In PATH, beside nvcc, or below the toolkit's folder.
std::optional<std::filesystem::path> find_sanitizer();

/// The tool's rule as Bundle::waived names it; empty: nothing waives it.
std::string waiver_of(const std::string &tool);

/// argv[1] of the program under a tool; argv[2] is the bundle, argv[3] the subject.
inline constexpr const char *kSanitizedVerb = "--run-under-sanitizer";

/// Cases and families to launch there: a few, small, and with special values where the case has them.
struct SanitizedCase {
  std::size_t case_index = 0;
  std::string family;
};
std::vector<SanitizedCase> sanitized_cases(const Bundle &bundle);

/// The exit code: 0 launched, 1 it could not.
int sanitized_main(const Engine &engine, const std::filesystem::path &bundle, const std::string &subject);

}  // namespace cupilot
