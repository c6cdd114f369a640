// SPDX-License-Identifier: Apache-2.0
//
// The options are those of the Compute Sanitizer User Manual (NVIDIA). Failed API calls are not reported,
// because the runs themselves report what failed. The tools only watch the process that they start: the
// recorder, which runs the host side, has no device.
#include "evolution/judge/engine/sanitizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <future>

#include "annotate/support/files.h"
#include "annotate/support/hash.h"
#include "annotate/support/log.h"
#include "annotate/support/process.h"
#include "annotate/support/text.h"
#include "evolution/judge/cases/plan.h"

namespace cupilot::judge::engine {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char *, 4> kTools{"memcheck", "racecheck", "initcheck", "synccheck"};
/// The tool's exit code when it reports errors; the program itself never exits with it.
constexpr int kFoundCode = 86;

std::vector<std::string> command_line(const fs::path &sanitizer, const std::string &tool,
                                      const SanitizerJob &job) {
  std::vector<std::string> words{sanitizer.string(), "--tool", tool};
  const auto add = [&](const char *option, const std::string &value) {
    words.insert(words.end(), {option, value});
  };
  add("--error-exitcode", std::to_string(kFoundCode));
  add("--target-processes", "application-only");
  add("--show-backtrace", "device");
  add("--print-limit", "20");
  if (tool == "memcheck") {
    add("--report-api-errors", "no");
    add("--padding", "256");  // so that overruns do not land in the next allocation
  }
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  words.insert(words.end(), {self.string(), kSanitizedVerb, job.bundle.string(), job.subject});
  return words;
}

std::string first_lines(const std::string &text) {
  std::string told;
  for (const auto &line : split_lines(text)) {
    const auto words = trim(line);
    if (words.empty() || words == "========= COMPUTE-SANITIZER") continue;
    told += (told.empty() ? "" : "; ") + std::string(words);
    if (told.size() > 400) break;
  }
  return told;
}

struct Said {
  std::string text;
  std::string not_run;
  double seconds = 0;
};

Said ask_tool(const fs::path &sanitizer, const std::string &tool, const SanitizerJob &job) {
  ProcessRequest request;
  request.argv = command_line(sanitizer, tool, job);
  request.time_limit = std::chrono::milliseconds(static_cast<long long>(job.seconds * 1000));
  request.environment = {{"CUDA_CACHE_DISABLE", "1"}};
  const auto result = run_process(request);
  if (!result) return {"", result.error().message};
  Said said{result->out + result->err, "", std::chrono::duration<double>(result->wall).count()};
  if (result->timed_out)
    said.not_run = fmt::format("did not finish within {} s", static_cast<int>(job.seconds));
  else if (!result->ok() && result->exit_code != kFoundCode)
    said.not_run = fmt::format("ended with {}: {}", result->describe(), first_lines(said.text));
  return said;
}

ToolRun read_answer(const std::string &tool, const Said &said) {
  tools::SanitizerReport report = tools::parse_sanitizer_output(said.text);
  ToolRun run{tool, std::move(report.findings), "", said.seconds};
  const bool any_error = std::ranges::any_of(run.findings, [](const auto &one) { return !one.warning; });
  if (any_error) return run;  // however the process ended
  if (report.errors > 0)
    run.findings.push_back({.kind = fmt::format("{} errors: {}", report.errors, first_lines(said.text))});
  else if (!said.not_run.empty())
    run.not_run = said.not_run;
  else if (!report.complete)
    run.not_run = "gave no summary: " + (report.trouble.empty() ? first_lines(said.text) : report.trouble);
  return run;
}

std::vector<ToolRun> none_can(const std::string &why) {
  std::vector<ToolRun> runs;
  for (const char *tool : kTools) runs.push_back({tool, {}, why, 0});
  return runs;
}

std::vector<ToolRun> run_and_keep(const SanitizerJob &job,
                                  const std::function<void(const std::string &, const Said &)> &keep) {
  const auto sanitizer = find_sanitizer();
  if (!sanitizer)
    return none_can(
        "compute-sanitizer is not installed here: it is part of the CUDA toolkit (cuda-sanitizer-13-0 and "
        "the like)");
  std::vector<std::future<Said>> running;
  for (const char *tool : kTools)
    running.push_back(std::async(std::launch::async, ask_tool, *sanitizer, std::string(tool), job));
  std::vector<ToolRun> runs;
  for (std::size_t i = 0; i < kTools.size(); ++i) {
    const Said said = running[i].get();
    keep(kTools[i], said);
    runs.push_back(read_answer(kTools[i], said));
  }
  return runs;
}

/// There, if the original fails at sizes that nobody asked for.
fs::path own_cases_mark(const fs::path &bundle) {
  return bundle / "original" / "sanitized-cases-are-own";
}

fs::path cache_file(const fs::path &bundle, const std::string &tool) {
  const auto entry = read_file(bundle / "original" / "entry.cu");
  return bundle / "original" /
         fmt::format("{}{}-{}.txt", tool, takes_own_cases_only(bundle) ? "-own" : "",
                     sha256(entry ? *entry : "").substr(0, 12));
}

std::vector<std::string> findings_in_original(const model::Bundle &bundle, const fs::path &folder) {
  std::vector<std::string> told;
  for (const ToolRun &run : run_sanitizer_on_original(folder)) {
    const std::string waiver = waiver_of(run.tool);
    if (!waiver.empty() && std::ranges::find(bundle.waived, waiver) != bundle.waived.end()) continue;
    for (const tools::SanitizerFinding &finding : run.findings)
      if (!finding.warning) told.push_back(fmt::format("{}: {}", run.tool, tools::describe(finding)));
  }
  return told;
}

}  // namespace

std::optional<fs::path> find_sanitizer() {
  if (const char *chosen = std::getenv("CUPILOT_COMPUTE_SANITIZER")) return find_program(chosen);
  std::vector<std::string> places{"compute-sanitizer"};
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *home = std::getenv(variable))
      places.push_back(std::string(home) + "/bin/compute-sanitizer");
  if (const char *nvcc = std::getenv("CUPILOT_NVCC"))
    places.push_back((fs::path(nvcc).parent_path() / "compute-sanitizer").string());
  if (const auto nvcc = find_program("nvcc")) {
    std::error_code ignored;
    places.push_back((fs::weakly_canonical(*nvcc, ignored).parent_path() / "compute-sanitizer").string());
  }
  places.push_back("/usr/local/cuda/bin/compute-sanitizer");
  places.push_back("/usr/local/cuda/compute-sanitizer/compute-sanitizer");
  for (const std::string &place : places)
    if (const auto found = find_program(place)) return found;
  return std::nullopt;
}

std::string waiver_of(const std::string &tool) {
  if (tool == "racecheck") return "shared-race";
  return tool == "initcheck" ? "uninitialised-read" : "";
}

std::vector<ToolRun> run_sanitizer(const SanitizerJob &job) {
  return run_and_keep(job, [](const std::string &, const Said &) {});
}

std::vector<ToolRun> run_sanitizer_on_original(const fs::path &bundle) {
  std::vector<ToolRun> known;
  for (const char *tool : kTools)
    if (const auto text = read_file(cache_file(bundle, tool)))
      known.push_back(read_answer(tool, {*text, "", 0}));
  if (known.size() == kTools.size()) return known;
  return run_and_keep({bundle, "original"}, [&](const std::string &tool, const Said &said) {
    if (said.not_run.empty()) (void)write_file_atomic(cache_file(bundle, tool), said.text);
  });
}

bool takes_own_cases_only(const fs::path &bundle) {
  return fs::exists(own_cases_mark(bundle));
}

std::vector<std::string> original_findings(const model::Bundle &bundle, const fs::path &folder) {
  auto told = findings_in_original(bundle, folder);
  if (told.empty() || takes_own_cases_only(folder)) return told;
  const auto cases = sanitized_cases(bundle, false);
  const bool all_own = std::ranges::all_of(cases, [&](const SanitizedCase &one) {
    const model::Case &which = bundle.cases[one.case_index];
    return cases::is_users_own(which) || which.timed;
  });
  if (all_own || !write_file_atomic(own_cases_mark(folder), told.front() + "\n")) return told;
  auto own = findings_in_original(bundle, folder);
  if (own.empty())
    log::note("at sizes that nobody asked for, compute-sanitizer finds in the original: " + told.front() +
              "; candidates are looked at with your own workloads alone");
  return own;
}

}  // namespace cupilot::judge::engine
