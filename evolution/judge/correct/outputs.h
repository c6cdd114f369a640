// SPDX-License-Identifier: Apache-2.0
//
// Dumped outputs of one run against the expected ones, buffer by buffer. Pure.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot {

struct OutputCheck {
  std::vector<OutputError> errors;  ///< one per output; those out of limits only when `wrong` is not empty
  std::string wrong;                ///< "output 'y': 12 of 4096 elements ..."
  std::string strict;               ///< what precision(same) would have said; empty: nothing
};
/// What was kept of the original for one set of inputs.
struct ExpectedOutputs {
  std::span<const std::byte> bytes;
  std::span<const CompareLimits> spread;  ///< one a buffer of the layout; empty: not known
  std::span<const KeptTwin> twin{};       ///< one a buffer of the layout; empty: the original rules
  std::span<const CompareLimits>
      change{};  ///< as `spread`, when inputs are rounded as the precision clause allows
};

/// With several threads where they are large: the first touch of fresh memory is what takes the time.
void copy_outputs(std::byte *to, std::span<const std::byte> from);

OutputCheck check_outputs(const Bundle &bundle, const CaseLayout &layout, const std::string &case_id,
                          const std::string &family, const ExpectedOutputs &expected,
                          std::span<const std::byte> got);

/// How far each output moved when the inputs moved by one rounding; 0 where a number became NaN or infinite.
std::vector<CompareLimits> output_spread(const CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> moved);

/// A sentence when an output holds NaN that is not our poison; else nothing.
std::optional<std::string> find_nan(const Bundle &bundle, const CaseLayout &layout,
                                    std::span<const std::byte> outputs);

/// Whether an output has elements that hold our poison: nobody wrote them.
bool has_unwritten(const CaseLayout &layout, std::span<const std::byte> outputs);

/// The outputs of a run on memory with the other poison, as they would be with the usual one: elements that
/// `expected` leaves unwritten, and these outputs too.
std::vector<std::byte> with_usual_poison(const CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> outputs);

/// "workload 'llama', inputs 'normal', at moved addresses".
std::string describe_run(const Bundle &bundle, std::size_t case_index, const std::string &family,
                         Placement placement);

}  // namespace cupilot
