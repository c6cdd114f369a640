// SPDX-License-Identifier: Apache-2.0
//
// From the workloads of a spec to concrete cases: every expression evaluated, and around each workload the
// neighbours on which a variant that hard-codes a shape shows itself (one more, one less, small, prime).

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot {

/// Neighbours of one kernel, all its workloads together.
inline constexpr std::size_t kMaxNeighbours = 14;

/// `emulated`: for the CPU executor. Workloads that are too large there are estimated whole (Case::verified
/// is off) and verified by a smaller stand-in ("llama/shrunk", Case::shrunk); neighbours are smaller still.
enum class CaseCap { none, emulated };
/// The limit of one run there: capped work takes a small part of it, so what needs longer hangs.
inline constexpr double kEmulatedRunSeconds = 30;

/// Hold-outs are cases for finalists only.
enum class CaseReader { search, finalist };

/// The workloads in the order written (ids are theirs), then their neighbours ("llama/rows-1"). `seed` picks
/// the primes. A workload that cannot be a case (unset parameter, overflowing extent, impossible launch) is
/// an error with its place; a neighbour that cannot is left out.
Result<std::vector<Case>> make_cases(const KernelSpec &spec, std::uint64_t seed, CaseCap cap = CaseCap::none,
                                     CaseReader reader = CaseReader::search);

}  // namespace cupilot
