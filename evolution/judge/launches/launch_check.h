// SPDX-License-Identifier: Apache-2.0
//
// What a launch list must be before anything of it reaches a device: it was made by code nobody trusts. Pure.

#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

struct ListRules {
  /// Of the library the list is for.
  std::span<const LoadedKernel> kernels;
  /// Kernels that may not be launched, as symbol_of_any_file says them: for a candidate those of the
  /// original.
  const std::set<std::string> *foreign = nullptr;
  /// Outputs and scratch: where a memset may write.
  std::span<const MemoryRange> writable;
  std::span<const MemoryRange> scratch;  ///< the places of its pieces
  bool writes = true;                    ///< the case has outputs that are not empty
};

/// The first rule it breaks. A list that declines has nothing to break but that it declines late.
std::optional<Fault> check_list(const LaunchList &list, const ListRules &rules);

}  // namespace cupilot
