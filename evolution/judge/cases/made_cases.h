// SPDX-License-Identifier: Apache-2.0
//
// Makes cases out of the numbers in the texts of candidates, for what no other case executes. Pure.

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/bundle.h"

namespace cupilot::judge::cases {

/// Numbers that texts of candidates compare with, the most telling first.
struct Constants {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
};

/// What lies beside a constant and is, like the constant, a multiple of a vector or of a warp: texts decline
/// sizes that are none, so that value +- 1 does not reach a comparison with it.
std::int64_t aligned_step(std::int64_t value);

/// Whether a case that nobody asked for is small enough to be judged as well.
bool fits_a_made_case(const model::Case &one);

/// Bundle::reserve: small cases in which one integer or floating argument is such a constant, next to it, or
/// an aligned step beside it. Those that `cases` or the kernel's domain do not admit are left out. They do
/// not depend on a seed.
std::vector<model::Case> made_cases(const spec::KernelSpec &spec, const std::vector<model::Case> &cases,
                                    const Constants &constants);

}  // namespace cupilot::judge::cases
