// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/time/estimates.h"

#include <fmt/format.h>

#include <algorithm>

namespace cupilot::judge::time {

void judge_estimate(model::Estimate &estimate) {
  estimate.ratio = 0;
  estimate.tie = true;
  estimate.verdict = model::VerdictKind::same;
  if (estimate.original.time_us <= 0 || estimate.candidate.time_us <= 0) return;
  estimate.ratio = estimate.original.time_us / estimate.candidate.time_us;
  const bool faster = estimate.ratio >= 1 + kEstimateTie, slower = estimate.ratio <= 1 / (1 + kEstimateTie);
  estimate.tie = !faster && !slower;
  if (faster) estimate.verdict = model::VerdictKind::faster;
  if (slower) estimate.verdict = model::VerdictKind::slower;
}

model::VerdictKind overall_kind(const std::vector<model::Estimate> &estimates) {
  const auto any = [&](model::VerdictKind kind) {
    return std::ranges::any_of(estimates, [&](const model::Estimate &one) {
      return one.verdict == kind && one.weight > 0 && !one.holdout;
    });
  };
  if (any(model::VerdictKind::slower)) return model::VerdictKind::slower;
  return any(model::VerdictKind::faster) ? model::VerdictKind::faster : model::VerdictKind::same;
}

std::string describe_estimates(const std::vector<model::Estimate> &estimates) {
  std::string text;
  for (const model::Estimate &one : estimates) {
    if (!text.empty()) text += "; ";
    text += fmt::format(
        "{} estimated {} {:.2f}x{} ({:.4g} us -> {:.4g} us, bound by {}; {} of {} blocks run)", one.workload,
        model::to_string(one.verdict), one.ratio, one.tie ? ", a tie" : "", one.original.time_us,
        one.candidate.time_us, one.candidate.bound, one.candidate.blocks_run, one.candidate.blocks);
  }
  return text;
}

}  // namespace cupilot::judge::time
