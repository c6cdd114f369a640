// SPDX-License-Identifier: Apache-2.0
//
// Policy `auto`: what costs nothing first. The rules, within a share of the budget. Where the roofline then
// still leaves room and a model is there: `tree` on top of the rules' best, which comes furthest with few
// candidates where steps add up; then rounds of `branches` and `sce`, which finds what is not on the way up,
// each beginning with what the one before found, until a round gains too little. At last the knobs of the
// finalists. What a part does not use of its share is the next one's. Order and shares are those that did
// best on landscapes with a known optimum (tests/landscapes).

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

/// Of the budget's candidates and wall time, counted from the start of the run: where the rules end, where
/// `tree` ends, and where models end so that something is left for the knobs.
inline constexpr double kRulesUntil = 0.25, kTreeUntil = 0.5, kModelsUntil = 0.85;

class AutoPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

/// Somebody other than built-in rules answers the translator's questions.
bool has_model(const PolicyContext &context);

}  // namespace cupilot
