// SPDX-License-Identifier: Apache-2.0
//
// Role `aligner`: rewrites the text of a strategy so that it describes what the code does after repair
// (cuPilot, arXiv 2512.16465, Algorithm 1, line 7).

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot::role {

struct AlignQuestion {
  const KernelBrief &brief;
  const model::Strategy &strategy;
  std::string variant;  ///< the text that was judged
};
provider::RoleRequest align_request(const AlignQuestion &question);

/// The aligned strategy: id and parents of `before`, the text of the answer.
Result<model::Strategy> parse_aligned(std::string_view answer, const model::Strategy &before);

}  // namespace cupilot::role
