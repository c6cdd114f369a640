// SPDX-License-Identifier: Apache-2.0
//
// Policy `refine`: CuTeGen's chain (arXiv 2604.01489; seeds.md 3a). First the simplest correct variant, then
// exactly one optimisation a step, each from the last variant that passed, faster or not; the best is kept
// apart by the evaluator. A step that stays broken through its fixes is written anew up to three times.

#pragma once

#include <cstddef>

#include "evolution/search/policy.h"

namespace cupilot {

inline constexpr int kMostRegenerations = 3;

class RefinePolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

}  // namespace cupilot
