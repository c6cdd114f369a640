// SPDX-License-Identifier: Apache-2.0
//
// Makes cases from the workloads of a spec. Every expression is evaluated, and each workload gets neighbours
// (one more, one less, small, prime) that expose a variant with a hard-coded shape, and sizes drawn at
// random.

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// The most neighbours of one kernel, for all its workloads together.
inline constexpr std::size_t kMaxNeighbours = 14;
/// In addition, for kernels with floating scalars: zero, the other sign, large.
inline constexpr std::size_t kScalarNeighbours = 3;

/// Whether the size of cases is limited. `emulated`: for the CPU executor. A workload that is too large there
/// is only estimated (Case::verified is false), and a smaller stand-in is verified ("llama/shrunk",
/// Case::shrunk). Neighbours are even smaller.
enum class CaseCap { none, emulated };
/// Time limit of one run on the CPU executor. Capped work takes a small part of it, so a longer run hangs.
inline constexpr double kEmulatedRunSeconds = 120;

/// Who the cases are for: hold-outs become cases only for finalists.
enum class CaseReader { search, finalist };

/// What generated values are drawn from. The primes come from `seed`, which the author of a variant may know;
/// the drawn sizes from both, and `secret` (JudgeRequest::secret) is drawn anew for every bundle.
struct Draw {
  std::uint64_t seed = 0, secret = 0;
};

/// Drawn sizes of all workloads together, in the search; each workload has at least the second number, and
/// one whose data are large has no more. A finalist has twice as many.
inline constexpr std::size_t kDrawnSizes = 16, kLeastDrawnSizes = 4;

/// Returns the workloads in the order written (with their ids), then their neighbours ("llama/rows-1"), those
/// of special shapes ("llama/square") for the first only, then pairs of inputs that are one buffer
/// ("llama/w=x"), accumulators with other content ("llama/y=random"), and sizes drawn at random
/// ("llama/rows=77,cols=613"). A workload that cannot become a case (unset parameter, overflowing extent,
/// impossible launch) is an error with its source place; such a neighbour is left out.
Result<std::vector<model::Case>> make_cases(const spec::KernelSpec &spec, const Draw &draw,
                                            CaseCap cap = CaseCap::none,
                                            CaseReader reader = CaseReader::search);

}  // namespace cupilot::judge::cases
