// SPDX-License-Identifier: Apache-2.0
//
// The host side of one loaded entry as a session sees it: a question with arguments goes in, a list comes
// out. Lists are kept, so that every launch with the same arguments is the same launches; and asked for again
// after others, so that a host side that keeps state shows.

#pragma once

#include <cstddef>
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

namespace cupilot {

/// What goes with the library when it is loaded.
struct HostRules {
  std::shared_ptr<Recorder> recorder;
  /// Symbols of the original's kernels, when the entry is a candidate's: it may launch none of them.
  std::vector<std::string> foreign;
};

class HostSide {
public:
  /// A library that does not load has a fault, which answers every list().
  HostSide(HostRules rules, LoadQuestion question);

  Recorded list(const RecordQuestion &question);
  std::optional<Fault> check(const LaunchList &list, std::span<const MemoryRange> writable,
                             std::span<const MemoryRange> scratch, bool writes) const;
  const std::vector<LoadedKernel> &kernels() const { return kernels_; }

private:
  struct Known {
    RecordQuestion question;
    LaunchList list;
  };
  /// A fault if the answer is another one now.
  std::optional<Fault> ask_again(const Known &known);

  std::shared_ptr<Recorder> recorder_;
  std::set<std::string> foreign_;
  std::vector<LoadedKernel> kernels_;
  std::optional<Fault> fault_;
  std::map<std::vector<std::byte>, Known> known_;  ///< by the question's bytes
  const Known *last_ = nullptr;
};

/// The question of one launch of a case.
RecordQuestion question_of(const Case &which, const Arguments &arguments);

}  // namespace cupilot
