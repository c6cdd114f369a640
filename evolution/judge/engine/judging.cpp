// SPDX-License-Identifier: Apache-2.0
#include "evolution/judge/engine/judging.h"

#include <fmt/format.h>

#include <algorithm>

#include "evolution/judge/correct/flushing.h"

namespace cupilot::judge::engine {

namespace {

/// Maximum number of faults of one run in a reason, which people and roles read.
constexpr std::size_t kMostFaultsTold = 4;

}  // namespace

std::string microseconds(double value) {
  return fmt::format("{:.2f} us", value);
}

bool Judging::decide(model::VerdictKind kind, const std::string &reason) {
  verdict.kind = kind;
  verdict.reason = reason;
  return false;
}

bool Judging::reject_time(const std::string &reason) {
  model::Measurement &last = verdict.measurements.back();
  last.verdict = model::VerdictKind::unsure;
  last.speedup = last.speedup_low = last.speedup_high = 0;
  return decide(model::VerdictKind::rejected, reason);
}

bool Judging::lost(const std::string &what, const std::string &message) {
  switch (child.ending()) {
    case ChildProcess::Ending::timed_out:
      return decide(
          model::VerdictKind::timed_out,
          fmt::format("did not finish within the limit of {} s, last on {}: look for a loop that never ends "
                      "or a barrier not all threads reach",
                      static_cast<long long>(bundle.request.run_seconds), what));
    case ChildProcess::Ending::forbidden:
      return decide(model::VerdictKind::rejected, fmt::format("{}; on {}", message, what));
    default:
      break;
  }
  std::string reason = fmt::format("on {}: {}", what, message);
  if (message.find("cudaErrorMisalignedAddress") != std::string::npos)
    reason += "; check l.aligned(bytes, pointers...) and decline, or use narrower accesses";
  if (message.find("cudaErrorIllegalAddress") != std::string::npos)
    reason += "; an access is outside the buffers: check index bounds and tails";
  if (message.starts_with("launching:"))
    reason +=
        "; the launch itself was refused: check block size (at most 1024 threads), grid and shared memory";
  return decide(model::VerdictKind::crashed, reason);
}

bool Judging::decide_by(std::vector<launches::Fault> faults, const std::string &where) {
  faults.front() = child.explain(faults.front());
  const launches::Fault::Kind kind = faults.front().kind;
  std::string text;
  std::size_t told = 0, more = 0;
  for (const launches::Fault &fault : faults) {
    if (fault.kind != kind) continue;
    if (told < kMostFaultsTold)
      text += (told++ ? "; " : "") + fault.text;
    else
      ++more;
  }
  if (more) text += fmt::format("; and {} more", more);
  switch (kind) {
    case launches::Fault::Kind::crashed:
      return decide(model::VerdictKind::crashed, fmt::format("on {}: {}", where, text));
    case launches::Fault::Kind::endless:
      return decide(model::VerdictKind::timed_out, fmt::format("on {}: {}", where, text));
    case launches::Fault::Kind::unsupported:
      return decide(model::VerdictKind::not_evaluated, "the CPU executor cannot run it: " + text);
    case launches::Fault::Kind::forbidden:
      return decide(model::VerdictKind::rejected, fmt::format("{}; on {}", text, where));
    case launches::Fault::Kind::wrong:
      break;
  }
  return decide(model::VerdictKind::wrong, fmt::format("{}; on {}", text, where));
}

bool Judging::ask_done(const Order &order, const std::string &what) {
  const auto done = child.ask_done(order);
  return done || lost(what, done.error().message);
}

correct::ExpectedOutputs Judging::expected(const Reference &of, std::size_t inputs, std::uint64_t flushed) {
  const cases::CaseLayout &layout = of.plan().layouts[of.plan().inputs[inputs].case_index];
  correct::ExpectedOutputs outputs = of.expected(inputs);
  outputs.flushed = correct::flushing_allowance({.counted = of.device().emulated,
                                                 .flushed = flushed + of.flushed(inputs),
                                                 .atomics = flushing.atomics,
                                                 .original_ftz = flushing.original,
                                                 .numbers = correct::floating_numbers(layout)});
  flushing_allowed = std::max(flushing_allowed, outputs.flushed);
  return outputs;
}

correct::OutputCheck Judging::check(const model::Bundle &of, const Reference &known,
                                    const cases::PlannedRun &run, std::uint64_t flushed,
                                    std::span<const std::byte> outputs) {
  const cases::PlannedInputs &inputs = known.plan().inputs[run.inputs];
  const cases::CaseLayout &layout = known.plan().layouts[inputs.case_index];
  const correct::ExpectedOutputs exact = expected(known, run.inputs, flushed);
  const bool patched = run.other_poison && known.leaves_unwritten(run.inputs);
  const auto usual =
      patched ? correct::with_usual_poison(layout, exact.bytes, outputs) : std::vector<std::byte>();
  return correct::check_outputs(of, layout, of.cases[inputs.case_index].id, inputs.family, exact,
                                patched ? std::span<const std::byte>(usual) : outputs);
}

void Judging::remember(const model::OutputError &error) {
  const auto share = [](const model::OutputError &e) {
    return std::max(e.rms_limit > 0 ? e.rms / e.rms_limit : 0, e.max_limit > 0 ? e.max / e.max_limit : 0);
  };
  const auto known =
      std::find_if(verdict.errors.begin(), verdict.errors.end(),
                   [&](const model::OutputError &e) { return e.parameter == error.parameter; });
  if (known == verdict.errors.end())
    verdict.errors.push_back(error);
  else if (share(error) > share(*known))
    *known = error;
}

}  // namespace cupilot::judge::engine
