// SPDX-License-Identifier: Apache-2.0
//
// Times two entries against each other in a session.
#include "evolution/device/session_cuda.h"
#include "evolution/device/timing/comparison.h"

namespace cupilot::device {

timing::Stopwatch::Launch CudaSession::launcher(judge::launches::Entry &entry, const model::Case &which,
                                                memory::CaseMemory &memory) {
  return [this, prepared = prepare(entry, which, memory)]() -> Result<> {
    if (!prepared) return std::unexpected(prepared.error());
    if (!prepared->replay) return fail(prepared->fault ? prepared->fault->text : "declined");
    return prepared->replay->queue(stream_);
  };
}

Result<judge::launches::TimingReport> CudaSession::time(judge::launches::Entry &original,
                                                        judge::launches::Entry &candidate,
                                                        const std::vector<spec::Parameter> &parameters,
                                                        const judge::launches::Setting &setting,
                                                        const judge::launches::TimingOptions &options) {
  CUPILOT_CHECKED(start_stopwatch());
  rotation_.reset();
  rotation_ = std::make_unique<timing::Rotation>(stream_, *memory_);
  CUPILOT_CHECKED(rotation_->prepare(parameters, setting, options.seeds));
  std::optional<judge::launches::Fault> fault;
  const auto launch = [&](timing::Comparison::Side side,
                          memory::CaseMemory &memory) -> Result<timing::Stopwatch::Launch> {
    CUPILOT_TRY(prepared, prepare(side == timing::Comparison::kOriginal ? original : candidate,
                                  *setting.which, memory));
    if (prepared.fault) fault = prepared.fault;
    if (!prepared.replay) return timing::Stopwatch::Launch();
    return timing::Stopwatch::Launch([this, replay = prepared.replay] { return replay->queue(stream_); });
  };
  const timing::Comparison::Device device{stream_, report_.l2_bytes, report_.sm_clock_mhz};
  auto report = timing::Comparison(device, *stopwatch_, *rotation_, launch, options).run();
  if (report && fault) report->faults = {*fault};
  return report;
}

Result<> CudaSession::timed_outputs(std::size_t content, std::span<std::byte> dump) {
  if (!rotation_ || content >= rotation_->contents()) return fail("nothing was timed on this content");
  CUPILOT_CHECKED(rotation_->dump(content, dump));
  if (content + 1 == rotation_->contents()) rotation_.reset();  // frees its memory for the next orders
  return {};
}

}  // namespace cupilot::device
