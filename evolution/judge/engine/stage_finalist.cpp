// SPDX-License-Identifier: Apache-2.0
//
// Stage "finalist": checks for a candidate that is about to be published. Each check is reported in the
// verdict; the first one that fails decides it.
#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/engine/finalist.h"
#include "evolution/judge/engine/stages.h"

namespace cupilot::judge::engine {

namespace {

using Outcome = model::FinalistCheck::Outcome;

/// Scratch memory that is always allowed, whatever the size of the buffers.
constexpr std::uint64_t kFreeScratchBytes = 16u << 20;

std::string times(double ratio) {
  return fmt::format("{:.2f}x", ratio);
}

std::string scratch_text(std::uint64_t bytes) {
  constexpr std::uint64_t kSmall = 1 << 20;
  return bytes < kSmall ? fmt::format("{} bytes", bytes) : cases::readable_bytes(bytes);
}

/// Compares the scratch memory with the size of the case's buffers, since the original uses no scratch
/// memory.
bool check_scratch(Judging &judging, const FinalistRuns &runs) {
  const auto start = FinalistClock::now();
  std::uint64_t &most = judging.verdict.scratch_bytes;
  for (const FinalistSubject &subject : runs.subjects()) {
    most = std::max(most, subject.scratch_bytes);
    std::uint64_t buffers = 0;
    const cases::PlannedInputs &inputs = judging.reference.plan().inputs[subject.inputs];
    for (const cases::PlacedBuffer &buffer : judging.reference.plan().layouts[inputs.case_index].buffers)
      buffers += buffer.bytes;
    const double allowed = judging.bundle.request.most_scratch * static_cast<double>(buffers);
    if (subject.scratch_bytes <= std::max(kFreeScratchBytes, static_cast<std::uint64_t>(allowed))) continue;
    judging.decide(model::VerdictKind::rejected,
                   fmt::format("takes {} of scratch memory a launch on {}, where all "
                               "buffers take {} together and the original needs none",
                               cases::readable_bytes(subject.scratch_bytes), runs.where(subject.inputs),
                               cases::readable_bytes(buffers)));
    return check_failed(judging, "peak memory", start);
  }
  tell_check(
      judging, "peak memory", Outcome::passed,
      most ? scratch_text(most) + " of scratch memory a launch, the original none" : "no scratch memory",
      seconds_since(start));
  return true;
}

struct HeldOut {
  std::string detail = "correct";
  bool slower = false;
};

HeldOut held_out(const model::Verdict &verdict, const model::Case &which) {
  HeldOut answer;
  for (const model::Measurement &m : verdict.measurements)
    if (m.workload == which.id)
      answer = {fmt::format("{} ({})", times(m.speedup), model::to_string(m.verdict)),
                m.verdict == model::VerdictKind::slower};
  for (const model::Estimate &e : verdict.estimates)
    if (e.workload == which.workload)
      answer = {fmt::format("estimated {} ({})", times(e.ratio), model::to_string(e.verdict)),
                e.verdict == model::VerdictKind::slower};
  return answer;
}

/// Hold-out workloads were verified and timed like all others; here a hold-out that got slower rejects the
/// candidate.
bool check_hold_outs(Judging &judging) {
  for (const model::Case &which : judging.bundle.cases) {
    if (!which.holdout || which.id != which.workload) continue;
    const auto start = FinalistClock::now();
    const std::string name = "hold-out " + which.workload;
    const HeldOut answer = held_out(judging.verdict, which);
    // With dispatch by workload, the original runs wherever the candidate is not known to be faster.
    if (!answer.slower || which.weight == 0 || !judging.verdict.dispatch.empty()) {
      tell_check(judging, name, Outcome::passed, answer.detail);
      continue;
    }
    judging.decide(model::VerdictKind::rejected,
                   answer.detail +
                       " on a workload that the search never saw: what is gained on "
                       "the others is not gained there");
    return check_failed(judging, name, start);
  }
  return true;
}

}  // namespace

void tell_check(Judging &judging, const std::string &name, Outcome outcome, const std::string &detail,
                double seconds) {
  judging.verdict.finalist.push_back({name, outcome, detail, seconds});
}

bool check_failed(Judging &judging, const std::string &name, FinalistClock::time_point start) {
  tell_check(judging, name, Outcome::failed, judging.verdict.reason, seconds_since(start));
  judging.verdict.reason = fmt::format("{}: {}", name, judging.verdict.reason);
  return false;
}

bool check_finalist(Judging &judging) {
  FinalistRuns runs(judging);
  return runs.repeat_all() && runs.in_manner("two streams", launches::Manner::two_streams) &&
         runs.in_manner("graph capture", launches::Manner::captured) && check_scratch(judging, runs) &&
         check_hold_outs(judging) && check_tools(judging);
}

}  // namespace cupilot::judge::engine
