// SPDX-License-Identifier: Apache-2.0
//
// Role `analyst`: from measurements and counters to the roofline class and a digest of at most six sentences,
// chosen by the class. By rules when nobody is asked: those of CuTeGen (seeds.md 3a) over the counters the
// profile carries.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"
#include "evolution/provider/provider.h"
#include "evolution/role/kernel_brief.h"

namespace cupilot {

inline constexpr std::size_t kMostDigestSentences = 6;

struct Analysis {
  std::string roofline_class;  ///< "memory-bound", "compute-bound", "latency-bound", "middle"; "": unknown
  std::vector<std::string> digest;  ///< sentences, at most kMostDigestSentences
  double roof_share = 0;            ///< of the nearest roof, 0..1; 0: unknown
};

/// `of_candidate`: of the verdict's candidate, else of the original.
Analysis analyse(const Verdict &verdict, bool of_candidate);

RoleRequest analyst_request(const KernelBrief &brief, const Verdict &verdict, bool of_candidate);
Result<Analysis> parse_analyst_answer(std::string_view answer);

/// "- sentence" lines
std::string digest_text(const Analysis &analysis);

}  // namespace cupilot
