// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/engine/finalist.h"
#include "evolution/judge/engine/sanitizer.h"

namespace cupilot::judge::engine {

namespace {

using Outcome = model::FinalistCheck::Outcome;

bool holds(const std::vector<std::string> &list, const std::string &word) {
  return std::ranges::find(list, word) != list.end();
}

/// Every run had all checks on. A finding would have decided the verdict in an earlier stage.
void tell_executor_checks(Judging &judging) {
  struct Tool {
    const char *name, *what;
    std::vector<std::string> rules;
  };
  const Tool all[] = {{"memcheck", "bounds and alignment", {}},
                      {"racecheck", "shared and global memory", {"shared-race", "global-race"}},
                      {"initcheck", "shared, scratch and output memory", {"uninitialised-read"}},
                      {"synccheck", "barriers and shuffle masks", {}}};
  for (const Tool &tool : all) {
    std::string off;
    for (const std::string &rule : tool.rules)
      if (holds(judging.reference.waived(), rule)) off += (off.empty() ? "" : ", ") + rule;
    tell_check(judging, tool.name, off.empty() ? Outcome::passed : Outcome::not_run,
               off.empty() ? std::string("by the CPU executor: ") + tool.what
                           : "the original does not pass it itself: " + off);
  }
}

std::string describe_all(const std::vector<tools::SanitizerFinding> &findings) {
  constexpr std::size_t kMostTold = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(findings.size(), kMostTold); ++i)
    text += (i ? "; " : "") + tools::describe(findings[i]);
  if (findings.size() > kMostTold) text += fmt::format("; and {} more", findings.size() - kMostTold);
  return text;
}

bool only_warnings(const std::vector<tools::SanitizerFinding> &findings) {
  return std::ranges::all_of(findings, &tools::SanitizerFinding::warning);
}

/// One tool's result for the candidate, compared with its result for the original.
model::FinalistCheck check_of(const ToolRun &run, const std::vector<ToolRun> &originals,
                              const model::Bundle &bundle) {
  model::FinalistCheck check{run.tool, Outcome::passed, "nothing found", run.seconds};
  if (!run.not_run.empty()) {
    check.outcome = Outcome::not_run;
    check.detail = run.not_run;
    return check;
  }
  std::vector<tools::SanitizerFinding> left = run.findings;
  const auto own = std::ranges::find(originals, run.tool, &ToolRun::tool);
  if (own != originals.end()) left = tools::without(std::move(left), own->findings);
  if (left.empty()) {
    if (!run.findings.empty()) check.detail = "nothing that the original does not have too";
    return check;
  }
  check.detail = describe_all(left);
  if (only_warnings(left)) {
    check.detail = "warnings only: " + check.detail;
  } else if (const std::string waiver = waiver_of(run.tool);
             !waiver.empty() && holds(bundle.waived, waiver)) {
    check.detail = fmt::format("vouched for by the developer ({}): {}", waiver, check.detail);
  } else {
    check.outcome = Outcome::failed;
  }
  return check;
}

}  // namespace

bool check_tools(Judging &judging) {
  if (judging.setting.estimates) {
    tell_executor_checks(judging);
    return true;
  }
  const auto start = FinalistClock::now();
  const auto bundle = judging.setting.original.library.parent_path().parent_path();
  const std::vector<ToolRun> runs = run_sanitizer({bundle, judging.verdict.candidate});
  const bool any = std::ranges::any_of(runs, [](const ToolRun &run) { return !only_warnings(run.findings); });
  const auto originals = any ? run_sanitizer_on_original(bundle) : std::vector<ToolRun>();
  const model::FinalistCheck *first = nullptr;
  std::vector<model::FinalistCheck> checks;
  for (const ToolRun &run : runs) checks.push_back(check_of(run, originals, judging.bundle));
  for (const model::FinalistCheck &check : checks) {
    if (!first && check.outcome == Outcome::failed) first = &check;
    if (&check != first) judging.verdict.finalist.push_back(check);
  }
  if (!first) return true;
  const auto own = std::ranges::find(originals, first->name, &ToolRun::tool);
  const bool clean = own != originals.end() && own->not_run.empty() && only_warnings(own->findings);
  judging.decide(model::VerdictKind::wrong, first->detail + (clean ? "; the original is clean" : ""));
  return check_failed(judging, first->name, start);
}

}  // namespace cupilot::judge::engine
