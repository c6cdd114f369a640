// SPDX-License-Identifier: Apache-2.0
//
// Compares the dumped outputs of one run with the expected ones, buffer by buffer. Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/cases/case_layout.h"
#include "evolution/judge/correct/compare.h"
#include "evolution/judge/correct/compare_twin.h"
#include "evolution/model/bundle.h"
#include "evolution/model/verdict.h"

namespace cupilot::judge::correct {

struct OutputCheck {
  std::vector<model::OutputError>
      errors;          ///< one per output; if `wrong` is not empty, only those beyond the limits
  std::string wrong;   ///< "output 'y': 12 of 4096 elements ..."
  std::string strict;  ///< why precision(same) would reject the outputs; empty: it would not
};
/// What is kept of the original's run for one set of inputs.
struct ExpectedOutputs {
  std::span<const std::byte> bytes;
  std::span<const CompareLimits> spread;  ///< one for each buffer of the layout; empty: unknown
  std::span<const KeptTwin> twin{};  ///< one for each buffer of the layout; empty: compare with the original
  /// As `spread`, for inputs that are rounded as the precision clause allows.
  std::span<const CompareLimits> change{};
  double flushed = 0;  ///< how far flushing alone may move an element (flushing.h)
  /// The original's code has no arithmetic of floating numbers: it moves bits, as of other data that look
  /// like numbers, and a candidate has to move the very same.
  bool moved = false;
  /// Where the twin is not believed on these inputs only: its outputs, one for each buffer (no_worse.h).
  std::span<const std::vector<float>> exact{};
};

/// Copies, with several threads if the outputs are large, since the first touch of new memory dominates the
/// time.
void copy_outputs(std::byte *to, std::span<const std::byte> from);

OutputCheck check_outputs(const model::Bundle &bundle, const cases::CaseLayout &layout,
                          const std::string &case_id, const std::string &family,
                          const ExpectedOutputs &expected, std::span<const std::byte> got);

/// How far each output moved when the inputs moved by one rounding; 0 if a number became NaN or infinite.
std::vector<CompareLimits> output_spread(const cases::CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> moved);

/// A sentence if an output holds a NaN that is not poison; else nullopt.
std::optional<std::string> find_nan(const model::Bundle &bundle, const cases::CaseLayout &layout,
                                    std::span<const std::byte> outputs);

/// Whether an output has elements that still hold poison, so were not written.
bool has_unwritten(const cases::CaseLayout &layout, std::span<const std::byte> outputs);
std::uint64_t unwritten_bytes(const cases::CaseLayout &layout, std::span<const std::byte> outputs);

/// Translates the outputs of a run with the other poison to the usual poison. It only changes elements that
/// are unwritten in both `expected` and `outputs`.
std::vector<std::byte> with_usual_poison(const cases::CaseLayout &layout, std::span<const std::byte> expected,
                                         std::span<const std::byte> outputs);

/// "workload 'llama', inputs 'normal', at moved addresses".
std::string describe_run(const model::Bundle &bundle, std::size_t case_index, const std::string &family,
                         cases::Placement placement, cases::Shifts shifts = 0);

}  // namespace cupilot::judge::correct
