// SPDX-License-Identifier: Apache-2.0
//
// Policy `auto`: what costs nothing first. The rules, within a share of the budget. Where the roofline then
// still leaves room and a model is there, rounds of `sce` and `branches`: a few fresh strategies and their
// children, then every step spent on the best of them (exploiting beats exploring under a fixed budget, PIKE,
// seeds.md 4.5); each begins with what the one before found; until a round gains too little. At last the
// knobs of the finalists. What a part does not use of its share is the next one's.

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

/// Of the budget's candidates and wall time, counted from the start of the run: where the rules end, and
/// where models end so that something is left for the knobs.
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
/// Of `sce` in this round of `auto`: the first is half as large and stops after one generation of children,
/// so that what is good is soon built upon.
PolicySettings sce_settings(PolicySettings settings, int round);

}  // namespace cupilot
