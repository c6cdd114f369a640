// SPDX-License-Identifier: Apache-2.0
//
// Policy `rules`: every strategy alone; then pairs, triples and all together of those that came out correct;
// then greedily one more strategy to the best; then coordinate descent over the knobs of the best few.

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

class RulesPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

/// All pairs and triples of `ids` and the whole, each in the order of `ids`; the whole first.
std::vector<StrategySet> compositions(const StrategySet &ids);

}  // namespace cupilot
