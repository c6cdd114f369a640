// SPDX-License-Identifier: Apache-2.0
//
// Checks a launch list before any of it reaches a device, since untrusted code made the list. Pure.

#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/launches/launch_list.h"
#include "evolution/judge/launches/recorder_protocol.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::judge::launches {

struct ListRules {
  /// The kernels of the library that the list belongs to.
  std::span<const LoadedKernel> kernels;
  /// Kernels that may not be launched, in the form of symbol_of_any_file(). For a candidate these are the
  /// original's.
  const std::set<std::string> *foreign = nullptr;
  /// The memory a memset may write: outputs and scratch.
  std::span<const MemoryRange> writable;
  std::span<const MemoryRange> scratch;  ///< the addresses of the scratch pieces
  bool writes = true;                    ///< the case has at least one output that is not empty
  /// Kernels that touch memory before they wait for the work in front of them.
  const std::set<std::string> *impatient = nullptr;
};

/// Returns the first rule that the list breaks. For a list that declines only two things are checked: it has
/// no complaint, and nothing was queued.
std::optional<Fault> check_list(const LaunchList &list, const ListRules &rules);

/// The fault of an entry that has changed a variable with an initial value.
Fault changes_a_constant(const std::string &symbol);

}  // namespace cupilot::judge::launches
