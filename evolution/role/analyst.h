// SPDX-License-Identifier: Apache-2.0
//
// Role `analyst`: turns measurements and counters into the roofline class and a digest of at most six
// sentences, chosen by that class. Without a model, rules do it: the thresholds of CuTeGen (arXiv 2604.01489)
// applied to the counters of the profile.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"
#include "evolution/provider/provider.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot::role {

inline constexpr std::size_t kMostDigestSentences = 6;

struct Analysis {
  std::string roofline_class;  ///< "memory-bound", "compute-bound", "latency-bound", "middle"; "": unknown
  std::vector<std::string> digest;  ///< sentences, at most kMostDigestSentences
  double roof_share = 0;            ///< achieved share of the nearest roof, 0..1; 0: unknown
};

/// Analyses the verdict's candidate if `of_candidate`, otherwise the original.
Analysis analyse(const model::Verdict &verdict, bool of_candidate);

provider::RoleRequest analyst_request(const KernelBrief &brief, const model::Verdict &verdict,
                                      bool of_candidate);
Result<Analysis> parse_analyst_answer(std::string_view answer);

/// The digest as lines "- sentence".
std::string digest_text(const Analysis &analysis);

}  // namespace cupilot::role
