// SPDX-License-Identifier: Apache-2.0
//
// The messages between parent and child: one JSON object on each line. The parent sends orders and the child
// answers each order once. `{"failed":"..."}` can answer any order and is the last line of a child. The child
// learns inputs one run at a time, and it never learns the expected outputs.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/judge/cases/explored_cases.h"
#include "evolution/judge/launches/excerpt.h"
#include "evolution/judge/launches/host_trace.h"
#include "evolution/judge/launches/session.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::engine {

enum class EntryRole { original, candidate, twin };
inline constexpr std::size_t kEntryRoles = 3;

struct RunOrder {
  std::size_t case_index = 0;  ///< in the bundle; the child sets Setting::which
  int slot = 0;                ///< half of the dump that gets the outputs
  launches::Setting setting{};
};

/// One order to the child. Which members besides `what` are used depends on `what`.
struct Order {
  enum class What {
    setup,
    load,
    bandwidth,
    run,
    time,
    profile,
    estimate,
    excerpt,
    timed_outputs,
    host_trace,
    coverage,
    outcomes
  } what = What::setup;
  std::string text;  ///< setup: bundle JSON; load: the library's path
  EntryRole role = EntryRole::candidate;
  RunOrder run;
  launches::TimingOptions timing;
  std::size_t content = 0;  ///< timed_outputs: which of TimingOptions::seeds
  std::vector<launches::KernelResources>
      kernels;                          ///< estimate: the entry's own; load: those that it may not launch
  std::vector<launches::Piece> wanted;  ///< excerpt
  std::vector<std::string> impatient;   ///< load: HostRules::impatient
  std::vector<std::int64_t> numbers{};  ///< outcomes: those of the candidate's text
  std::string traced{};                 ///< load: the library that tells what the host side executes
};

std::string to_line(const Order &order);
Result<Order> order_from_line(const std::string &line);

/// Every failed_line() begins with this.
inline constexpr std::string_view kFailedLine = R"({"failed")";
std::string failed_line(const std::string &message);
std::string done_line();
std::string to_line(const model::DeviceReport &report);
std::string to_line(const launches::RunReport &report);
std::string to_line(const launches::TimingReport &report);
std::string to_line(const model::Profile &profile);
std::string to_line(const launches::EstimateReport &report);
std::string to_line(const launches::HostTrace &trace);
std::string to_line(const launches::Coverage &coverage);
std::string to_line(const launches::Excerpt &excerpt);
std::string to_line(const std::vector<cases::ExploredCall> &calls);

/// The error is the child's own failure text, or says that the line is not the expected one.
Result<> done_from_line(const std::string &line);
Result<model::DeviceReport> device_from_line(const std::string &line);
Result<launches::RunReport> run_from_line(const std::string &line);
Result<launches::TimingReport> timing_from_line(const std::string &line);
Result<model::Profile> profile_from_line(const std::string &line);
Result<launches::EstimateReport> estimate_from_line(const std::string &line);
Result<launches::HostTrace> host_trace_from_line(const std::string &line);
Result<launches::Coverage> coverage_from_line(const std::string &line);
Result<launches::Excerpt> excerpt_from_line(const std::string &line);
Result<std::vector<cases::ExploredCall>> calls_from_line(const std::string &line);

/// The lines that the worker prints; the executors in evolution/judge/bundle read them.
std::string device_event(const model::DeviceReport &report);
std::string built_event(const std::string &candidate, double seconds);
std::string verdict_event(const model::Verdict &verdict);
/// The line also says whether the input is to blame (the user's code or directive) rather than this machine.
std::string error_event(const Error &error);
std::string done_event();

}  // namespace cupilot::judge::engine
