// SPDX-License-Identifier: Apache-2.0
//
// Policy `sce`: cuPilot's strategy-coordinated evolution (arXiv 2512.16465, Algorithm 1; seeds.md 1c). What
// evolves is the strategy's text: a first population from pool, history and strategist; in each generation
// translate, revise, align, judge; elitism and tournaments on the lower confidence bound; children by
// crossing the texts of two parents, realised on the better parent's code. Epochs restart from the best
// variants.

#pragma once

#include <cstddef>

#include "evolution/search/policy.h"

namespace cupilot {

/// Generations in a row that gain less than the plateau: the epoch is over.
inline constexpr std::size_t kFlatGenerations = 2;

class ScePolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

}  // namespace cupilot
