// SPDX-License-Identifier: Apache-2.0
//
// Policy `random`: a strategy of the pool applied to the original or to something that survived, both chosen
// by a seeded die. What every other policy has to beat.

#pragma once

#include "evolution/search/policy.h"

namespace cupilot {

class RandomPolicy final : public Policy {
public:
  Result<void> run(PolicyContext &context) override;
};

}  // namespace cupilot
