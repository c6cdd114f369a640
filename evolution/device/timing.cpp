// SPDX-License-Identifier: Apache-2.0
//
// Times two entries against each other in a session.
#include "evolution/device/session_cuda.h"
#include "evolution/device/timing/comparison.h"

namespace cupilot {

Stopwatch::Launch CudaSession::launcher(Entry &entry, const Case &which, CaseMemory &memory) {
  return [this, prepared = prepare(entry, which, memory)]() -> Result<> {
    if (!prepared) return std::unexpected(prepared.error());
    if (!prepared->replay) return fail(prepared->fault ? prepared->fault->text : "declined");
    return prepared->replay->queue(stream_);
  };
}

Result<TimingReport> CudaSession::time(Entry &original, Entry &candidate,
                                       const std::vector<Parameter> &parameters, const Setting &setting,
                                       const TimingOptions &options) {
  CUPILOT_CHECKED(start_stopwatch());
  rotation_.reset();
  rotation_ = std::make_unique<Rotation>(stream_, *memory_);
  CUPILOT_CHECKED(rotation_->prepare(parameters, setting, options.seeds));
  std::optional<Fault> fault;
  const auto launch = [&](Comparison::Side side, CaseMemory &memory) -> Result<Stopwatch::Launch> {
    CUPILOT_TRY(prepared,
                prepare(side == Comparison::kOriginal ? original : candidate, *setting.which, memory));
    if (prepared.fault) fault = prepared.fault;
    if (!prepared.replay) return Stopwatch::Launch();
    return Stopwatch::Launch([this, replay = prepared.replay] { return replay->queue(stream_); });
  };
  const Comparison::Device device{stream_, report_.l2_bytes, report_.sm_clock_mhz};
  auto report = Comparison(device, *stopwatch_, *rotation_, launch, options).run();
  if (report && fault) report->faults = {*fault};
  return report;
}

Result<> CudaSession::timed_outputs(std::size_t content, std::span<std::byte> dump) {
  if (!rotation_ || content >= rotation_->contents()) return fail("nothing was timed on this content");
  CUPILOT_CHECKED(rotation_->dump(content, dump));
  if (content + 1 == rotation_->contents()) rotation_.reset();  // frees its memory for the next orders
  return {};
}

}  // namespace cupilot
