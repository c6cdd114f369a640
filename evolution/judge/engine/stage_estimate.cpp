// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "evolution/judge/engine/full_size.h"
#include "evolution/judge/engine/run_orders.h"
#include "evolution/judge/engine/stages.h"
#include "evolution/judge/time/estimates.h"

namespace cupilot::judge::engine {

namespace {

class EstimateStage {
public:
  explicit EstimateStage(Judging &judging) : judging_(judging) {}

  bool estimate_all() {
    for (const std::size_t index : judging_.reference.plan().estimated)
      if (!estimate_one(index)) return false;
    return true;
  }

private:
  bool estimate_one(std::size_t index) {
    const model::Case &which = judging_.bundle.cases[index];
    const std::string where = estimating(judging_, index);
    Order order{Order::What::estimate};
    order.run = estimate_order(judging_.bundle, index, judging_.reference.waived());
    order.kernels = judging_.kernels;
    const auto line = ask(order);
    if (!line) return judging_.lost(where, line.error().message);
    const auto report = estimate_from_line(*line);
    if (!report)
      return judging_.decide(model::VerdictKind::not_evaluated,
                             fmt::format("{}: {}", where, report.error().message));
    if (!report->faults.empty()) return judging_.decide_by(report->faults, where);
    if (report->declined)
      return judging_.decide(
          model::VerdictKind::rejected,
          fmt::format("declines while {}: launch() returned false for a workload it is made for", where));
    model::Estimate estimate{.workload = which.workload,
                             .original = judging_.reference.estimates().at(index),
                             .candidate = report->time};
    time::judge_estimate(estimate);
    estimate.weight = which.weight;
    estimate.holdout = which.holdout;
    if (!which.verified && !vouch(index, estimate)) return false;
    judging_.verdict.estimates.push_back(std::move(estimate));
    return true;
  }

  Result<std::string> ask(const Order &order) {
    return judging_.child.ask(order, in_seconds(kEstimateRuns * judging_.bundle.request.run_seconds));
  }

  /// The size belongs to the verified ones only when blocks of that size agree with the original's.
  bool vouch(std::size_t index, model::Estimate &estimate) {
    const ExcerptAnswer *const answer = compare_at_full_size(judging_, index);
    if (!answer) return false;
    const model::Case &which = judging_.bundle.cases[index];
    estimate.compared = answer->compared;
    estimate.open = answer->open;
    if (answer->open.empty())
      judging_.verdict.cases_passed.push_back(which.id);
    else
      judging_.verdict.limits.push_back(
          fmt::format("{} at its own size only estimated: {}", which.workload, answer->open));
    return true;
  }

  Judging &judging_;
};

}  // namespace

bool estimate_candidate(Judging &judging) {
  return EstimateStage(judging).estimate_all();
}

}  // namespace cupilot::judge::engine
