// SPDX-License-Identifier: Apache-2.0
//
// Which two inputs of a case may be one buffer, as in gemm(a, a, c) or axpy(x, x). A kernel that only reads
// them allows it, and a variant that compares the pointers, or loads one of them only, is found by it. And
// which two may overlap, as the two halves of differences of neighbours do: f(x + 1, x, ...). Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

struct InputPair {
  std::string first, second;  ///< parameters, in the kernel's order
  bool operator==(const InputPair &) const = default;
};

/// All pairs of `in` buffers of the same element type, number of elements and fill; the second may be an
/// `inout` buffer, if the signature allows both to be one (no restrict).
std::vector<InputPair> equal_inputs_of(const spec::KernelSpec &spec, const model::Case &one);

/// The case in which the second of the pair is the first: "llama/w=x". An `inout` buffer only holds the same
/// data as the input, and stands in its memory at Placement::in_place.
model::Case with_equal_inputs(model::Case one, const InputPair &pair);

/// The case in which the second of the pair begins `begins` elements after the start of the first:
/// "llama/w=x+1".
model::Case with_overlapping_inputs(model::Case one, const InputPair &pair, std::uint64_t begins);

/// The most pairs of inputs that are tried as one buffer, and the most that overlap.
inline constexpr std::size_t kMostEqualInputs = 6, kMostOverlapping = 4;

/// The cases of all pairs, or of some that `seed` picks, at a small size of the workload. Some pairs have the
/// same extents there; others where all its sizes are the same.
Result<std::vector<model::Case>> equal_input_cases(const spec::KernelSpec &spec,
                                                   const spec::Workload &workload, std::uint64_t seed);

/// The cases of pairs that overlap, or some that `seed` picks: each pair with one element between the starts
/// and with many.
Result<std::vector<model::Case>> overlapping_input_cases(const spec::KernelSpec &spec,
                                                         const spec::Workload &workload, std::uint64_t seed);

}  // namespace cupilot::judge::cases
