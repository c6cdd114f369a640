// SPDX-License-Identifier: Apache-2.0
//
// Times two entries against each other in a session.
#include <algorithm>

#include "evolution/device/session_cuda.h"
#include "evolution/device/timing/comparison.h"
#include "evolution/judge/launches/device_code.h"
#include "evolution/judge/launches/launch_check.h"

namespace cupilot::device {

namespace {

bool has_symbol(const std::vector<std::string> &symbols, const std::string &symbol) {
  const auto same = [&](const std::string &one) {
    return judge::launches::symbol_of_any_file(one) == judge::launches::symbol_of_any_file(symbol);
  };
  return std::ranges::any_of(symbols, same);
}

}  // namespace

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
  const timing::Comparison::Device device{stream_, report_.l2_bytes, report_.sm_clock_mhz,
                                          [this] { return use_->read(); }};
  auto report = timing::Comparison(device, *stopwatch_, *rotation_, launch, options).run();
  if (report && fault) report->faults = {*fault};
  if (!report || fault) return report;
  CUPILOT_TRY(usual, static_cast<CudaEntry &>(original).changed_variables());
  CUPILOT_TRY(changed, static_cast<CudaEntry &>(candidate).changed_variables());
  for (const std::string &name : changed)
    if (!has_symbol(usual, name)) report->faults.push_back(judge::launches::changes_a_constant(name));
  return report;
}

Result<> CudaSession::timed_outputs(std::size_t content, std::span<std::byte> dump) {
  if (!rotation_ || content >= rotation_->contents()) return fail("nothing was timed on this content");
  CUPILOT_CHECKED(rotation_->dump(content, dump));
  if (content + 1 == rotation_->contents()) rotation_.reset();  // frees its memory for the next orders
  return {};
}

}  // namespace cupilot::device
