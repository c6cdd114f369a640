// SPDX-License-Identifier: Apache-2.0
//
// Runs the four tools of compute-sanitizer on the kernels of one entry. Each tool starts this program again
// with a verb of its own, which launches the entry on a few small cases and exits.

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

namespace cupilot::judge::engine {

struct ToolRun {
  std::string tool;  ///< "racecheck"
  std::vector<tools::SanitizerFinding> findings;
  std::string not_run;  ///< why the tool could not run; empty: it ran
  double seconds = 0;
};

/// What is checked in a bundle folder. `subject` is "original" or the id of a candidate.
struct SanitizerJob {
  std::filesystem::path bundle;
  std::string subject;
  double seconds = 40;  ///< time limit of each tool; they run in parallel
};

/// Results come in the order memcheck, racecheck, initcheck, synccheck.
std::vector<ToolRun> run_sanitizer(const SanitizerJob &job);

/// The same for the original. The tools run once; their output is kept in the bundle folder for later calls.
std::vector<ToolRun> run_sanitizer_on_original(const std::filesystem::path &bundle);

/// What the tools find in the original, one sentence for each finding; used before candidates are judged.
/// Leaves out what Bundle::waived names ("shared-race", "uninitialised-read"). Empty where compute-sanitizer
/// cannot run. What they find only at sizes that nobody asked for is said as a note, and from then on the
/// bundle is looked at with the developer's own cases alone.
std::vector<std::string> original_findings(const model::Bundle &bundle, const std::filesystem::path &folder);

/// Looks in PATH, beside nvcc, and below the toolkit's folder.
std::optional<std::filesystem::path> find_sanitizer();

/// The rule of Bundle::waived that covers the tool's findings; empty: they cannot be waived.
std::string waiver_of(const std::string &tool);

/// argv[1] of the program under a tool; argv[2] is the bundle, argv[3] the subject.
inline constexpr const char *kSanitizedVerb = "--run-under-sanitizer";

/// A case and an input family to launch under the tools. A few small cases are chosen, also with special
/// values where a case has them.
struct SanitizedCase {
  std::size_t case_index = 0;
  std::string family;
};
/// `own_only`: of the developer's own.
std::vector<SanitizedCase> sanitized_cases(const model::Bundle &bundle, bool own_only);
/// Whether original_findings has found that only those do.
bool takes_own_cases_only(const std::filesystem::path &bundle);

/// Launches the subject under a tool. Returns the exit code: 0 launched, 1 could not launch.
int sanitized_main(const Engine &engine, const std::filesystem::path &bundle, const std::string &subject);

}  // namespace cupilot::judge::engine
