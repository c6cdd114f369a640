// SPDX-License-Identifier: Apache-2.0
//
// Policy `knobs`: no new structures, only the declared constants of those there are: coordinate descent, then
// Bayesian optimisation where the space has more than descent could try. On its own it begins with what each
// built-in rule makes alone.

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

class KnobsPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

/// The finalists of what the evaluator has seen so far.
Result<void> tune_knobs(Evaluator &evaluator, const TuneSettings &settings);

}  // namespace cupilot
