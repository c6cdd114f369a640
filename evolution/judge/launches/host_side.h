// SPDX-License-Identifier: Apache-2.0
//
// The host side of one loaded entry as a session sees it: it maps the arguments of a call to a launch list.
// Lists are cached, so equal arguments always give the same launches. Each list is also requested again after
// others, to detect host code that keeps state between calls.

#pragma once

#include <cstddef>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/launches/entry.h"
#include "evolution/judge/launches/launch_check.h"
#include "evolution/judge/launches/recorder.h"

namespace cupilot::judge::launches {

/// How to run the host code of a library, and which kernels it must not launch.
struct HostRules {
  std::shared_ptr<Recorder> recorder;
  /// Symbols of the original's kernels if the entry is a candidate's: it may not launch any of them.
  std::vector<std::string> foreign;
  std::string traced{};  ///< LoadQuestion::traced
  /// Symbols of kernels that may not begin before the work in front of them has ended.
  std::vector<std::string> impatient{};
};

class HostSide {
public:
  /// If the library cannot be loaded, every list() returns that fault.
  HostSide(HostRules rules, LoadQuestion question);

  Recorded list(const RecordQuestion &question);
  /// What each of these calls decides on the host side, and what it would launch.
  std::expected<std::vector<CallOutcomes>, Fault> outcomes(std::span<const RecordQuestion> calls) {
    if (fault_) return std::unexpected(*fault_);
    return recorder_->outcomes(calls);
  }
  std::optional<Fault> check(const LaunchList &list, std::span<const MemoryRange> writable,
                             std::span<const MemoryRange> scratch, bool writes) const;
  const std::vector<LoadedKernel> &kernels() const { return kernels_; }

private:
  struct Known {
    RecordQuestion question;
    LaunchList list;
  };
  /// Asks the same question again; returns a fault if the answer differs.
  std::optional<Fault> ask_again(const Known &known);

  std::shared_ptr<Recorder> recorder_;
  std::set<std::string> foreign_, impatient_;
  std::vector<LoadedKernel> kernels_;
  std::optional<Fault> fault_;
  std::map<std::vector<std::byte>, Known> known_;  ///< key: the serialised question
  const Known *last_ = nullptr;
};

/// The question that asks for the launches of one call with the arguments of a case.
RecordQuestion question_of(const model::Case &which, const Arguments &arguments);

}  // namespace cupilot::judge::launches
