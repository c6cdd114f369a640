// SPDX-License-Identifier: Apache-2.0
//
// Role `aligner`: the text of a strategy, rewritten so that it says what the code that survived really does
// (cuPilot, Algorithm 1, line 7; seeds.md 1c).

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot {

struct AlignQuestion {
  const KernelBrief &brief;
  const Strategy &strategy;
  std::string variant;  ///< as it was judged
};
RoleRequest align_request(const AlignQuestion &question);

/// The strategy again: id and parents of `before`, the words of the answer.
Result<Strategy> parse_aligned(std::string_view answer, const Strategy &before);

}  // namespace cupilot
