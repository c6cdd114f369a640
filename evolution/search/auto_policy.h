// SPDX-License-Identifier: Apache-2.0
//
// Policy `auto`: what costs nothing first. The rules, within a share of the budget; where the roofline then
// still leaves room and a model is there, `sce`; at last the knobs of the finalists. What a part does not use
// of its share is the next one's.

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

/// Of the budget's candidates and wall time, counted from the start of the run: where the rules end, and
/// where `sce` ends so that something is left for the knobs.
inline constexpr double kRulesUntil = 0.25, kModelsUntil = 0.85;
/// This near to a roof (share of it reached) there is no room for another structure: seeds.md 11.
inline constexpr double kRoofReached = 0.9;

class AutoPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

/// Somebody other than built-in rules answers the translator's questions.
bool has_model(const PolicyContext &context);
/// By the analysis of the best so far; where nothing is known of its roof there is.
Result<bool> has_room(PolicyContext &context);

}  // namespace cupilot
