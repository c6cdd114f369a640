// SPDX-License-Identifier: Apache-2.0
//
// Dumped outputs of one run against the expected ones, buffer by buffer. Pure.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evolution/device/case_layout.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct OutputCheck {
  std::vector<OutputError> errors;  ///< one per output; those out of limits only when `wrong` is not empty
  std::string wrong;                ///< "output 'y': 12 of 4096 elements ..."
};
OutputCheck check_outputs(const Bundle &bundle, const CaseLayout &layout, const std::string &case_id,
                          const std::string &family, std::span<const std::byte> expected,
                          std::span<const std::byte> got);

/// A sentence when an output holds NaN that is not our poison; else nothing.
std::optional<std::string> find_nan(const Bundle &bundle, const CaseLayout &layout,
                                    std::span<const std::byte> outputs);

/// "workload 'llama', inputs 'normal', at moved addresses".
std::string describe_run(const Bundle &bundle, std::size_t case_index, const std::string &family,
                         Placement placement);

}  // namespace cupilot
