// SPDX-License-Identifier: Apache-2.0
//
// Runs the stages in the order of their cost. The first failure decides the verdict.
#include "evolution/judge/engine/candidate.h"

#include <chrono>

#include "evolution/judge/engine/stages.h"
#include "evolution/judge/time/estimates.h"
#include "evolution/judge/time/statistics.h"

namespace cupilot::judge::engine {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string estimate_text(const model::Verdict &verdict) {
  std::string text = time::describe_estimates(verdict.estimates);
  for (const std::string &limit : verdict.limits) text += "; " + limit;
  return text;
}

/// The stage after "correct": an estimate or a measurement.
void compare_speed(Judging &judging) {
  model::Verdict &verdict = judging.verdict;
  if (judging.setting.estimates) {
    verdict.stage = "estimate";
    if (estimate_candidate(judging))
      judging.decide(time::overall_kind(verdict.estimates), estimate_text(verdict));
    return;
  }
  verdict.stage = "time";
  if (!time_candidate(judging)) return;
  verdict.dispatch = time::dispatch_of(verdict.measurements);
  judging.decide(time::overall_kind(verdict.measurements), time::describe_times(verdict.measurements));
}

void become_finalist(Judging &judging) {
  const auto start = Clock::now();
  judging.verdict.stage = "finalist";
  (void)check_finalist(judging);
  judging.verdict.finalist_seconds = since(start);
}

}  // namespace

model::Verdict judge_candidate(const JudgeSetting &setting, model::Verdict verdict, const tools::Built &built,
                               ChildProcess &child, const std::function<void()> &before_timing) {
  Judging judging(setting, std::move(verdict), built, child);
  judging.verdict.device = setting.reference.device();
  judging.verdict.precision = spec::to_string(setting.bundle.precision);
  judging.verdict.seed = setting.bundle.request.seed;
  judging.verdict.secret = setting.bundle.request.secret;
  judging.verdict.oracle = setting.reference.oracle();
  judging.verdict.stage = "screen";
  if (!screen_candidate(judging, built)) return std::move(judging.verdict);
  judging.verdict.stage = "correct";
  const auto start = Clock::now();
  const bool correct = verify_candidate(judging, built.library);
  judging.verdict.verify_seconds = since(start);
  before_timing();
  if (!correct) {
    explain_numbers(judging);
    return std::move(judging.verdict);
  }
  judging.verdict.stage = "coverage";
  if (!cover_candidate(judging, built.library)) return std::move(judging.verdict);
  const cases::Plan &plan = setting.reference.plan();
  const bool timed = setting.bundle.request.time && !(plan.timing.empty() && plan.estimated.empty());
  if (timed) {
    const auto timing_start = Clock::now();
    compare_speed(judging);
    judging.verdict.time_seconds = since(timing_start);
  } else {
    judging.verdict.stage = "correct";
    judging.decide(model::VerdictKind::same, "correct on every case; not timed");
  }
  if (setting.bundle.request.finalist && (!timed || judging.verdict.kind == model::VerdictKind::faster))
    become_finalist(judging);
  return std::move(judging.verdict);
}

}  // namespace cupilot::judge::engine
