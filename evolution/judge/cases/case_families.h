// SPDX-License-Identifier: Apache-2.0
//
// Which input families a case runs with. Pure.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/cases/cases.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// Of all its buffers.
std::uint64_t bytes_of(const spec::KernelSpec &spec, const model::Case &one);

struct FamilyTurn {
  bool neighbour = false;
  std::size_t index = 0;             ///< of the rotation
  std::vector<std::string> first{};  ///< Neighbour::families
};

/// Small workloads are cheap and get every family. Small neighbours get those they are for, and others in
/// rotation, so that together they cover all. Large workloads get the first few. A large neighbour gets
/// `user` and one more, also in rotation. On the CPU a case that costs a noticeable time gets `user` and one
/// more.
std::vector<std::string> families_of(const spec::KernelSpec &spec, const model::Case &one,
                                     const FamilyTurn &turn, CaseCap cap);

}  // namespace cupilot::judge::cases
