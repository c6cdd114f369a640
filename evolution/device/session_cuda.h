// SPDX-License-Identifier: Apache-2.0
//
// Implements DeviceSession with the CUDA runtime. Internal to evolution/device. The code is in session.cpp
// (opening, plain runs), manners.cpp (other manners of runs), timing.cpp (samples) and profile.cpp
// (counters).

#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <set>

#include "evolution/device/cuda_entry.h"
#include "evolution/device/device_use.h"
#include "evolution/device/memory/case_memory.h"
#include "evolution/device/timing/rotation.h"
#include "evolution/device/timing/stopwatch.h"
#include "evolution/judge/launches/session.h"

namespace cupilot::device {

class CudaSession : public judge::launches::DeviceSession {
public:
  static Result<std::unique_ptr<judge::launches::DeviceSession>> open();  ///< declared in open_cuda.h
  ~CudaSession() override;

  model::DeviceReport report() const override { return report_; }
  Result<double> copy_bandwidth_gbs() override;
  Result<std::shared_ptr<judge::launches::Entry>> load(const std::filesystem::path &library,
                                                       judge::launches::HostRules host) override {
    return CudaEntry::load(library, std::move(host));
  }
  Result<judge::launches::RunReport> run(judge::launches::Entry &entry,
                                         const std::vector<spec::Parameter> &parameters,
                                         const judge::launches::Setting &setting,
                                         std::span<std::byte> dump) override;
  Result<judge::launches::TimingReport> time(judge::launches::Entry &original,
                                             judge::launches::Entry &candidate,
                                             const std::vector<spec::Parameter> &parameters,
                                             const judge::launches::Setting &setting,
                                             const judge::launches::TimingOptions &options) override;
  Result<> timed_outputs(std::size_t content, std::span<std::byte> dump) override;
  model::Profile profile(judge::launches::Entry &entry, const std::vector<spec::Parameter> &parameters,
                         const judge::launches::Setting &setting) override;

private:
  enum class Answer { launched, declined, at_fault };

  CudaSession() = default;
  /// Prepares what a call of the entry launches on the buffers of `memory`. Also keeps a fault of the host
  /// side.
  Result<CudaEntry::Prepared> prepare(judge::launches::Entry &entry, const model::Case &which,
                                      memory::CaseMemory &memory);
  /// Prepares a call and queues it. The error is what the entry or its launch reported.
  Result<Answer> call(judge::launches::Entry &entry, const model::Case &which, memory::CaseMemory &memory);
  Result<Answer> call(judge::launches::Entry &entry, const model::Case &which) {
    return call(entry, which, *memory_);
  }
  Result<judge::launches::RunReport> run_plain(CudaEntry &entry,
                                               const std::vector<spec::Parameter> &parameters,
                                               const judge::launches::Setting &setting,
                                               std::span<std::byte> dump);
  // manners.cpp
  Result<judge::launches::RunReport> run_beside(CudaEntry &entry,
                                                const std::vector<spec::Parameter> &parameters,
                                                const judge::launches::Setting &setting,
                                                std::span<std::byte> dump);
  Result<judge::launches::RunReport> run_captured(CudaEntry &entry,
                                                  const std::vector<spec::Parameter> &parameters,
                                                  const judge::launches::Setting &setting,
                                                  std::span<std::byte> dump);
  Result<judge::launches::RunReport> run_exactly(CudaEntry &entry,
                                                 const std::vector<spec::Parameter> &parameters,
                                                 const judge::launches::Setting &setting);
  /// Pins the pages of a large dump, which makes copies into it three times as fast. Where that fails, copies
  /// are slow.
  void pin(std::span<std::byte> dump);
  Result<> start_stopwatch();
  Result<double> median_cold_us(const timing::Stopwatch::Launch &launch);
  /// Prepares a call now and returns it as a function to time. `memory` must outlive it.
  timing::Stopwatch::Launch launcher(judge::launches::Entry &entry, const model::Case &which,
                                     memory::CaseMemory &memory);
  timing::Stopwatch::Launch launcher(judge::launches::Entry &entry, const model::Case &which) {
    return launcher(entry, which, *memory_);
  }

  model::DeviceReport report_;
  std::optional<judge::launches::Fault> host_fault_;  ///< fault of the last prepare()
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<memory::CaseMemory> memory_;
  std::unique_ptr<timing::Stopwatch> stopwatch_;
  std::unique_ptr<timing::Rotation> rotation_;  ///< of the last comparison, until its outputs have been read
  std::unique_ptr<DeviceUseReader> use_;
  std::set<const std::byte *> pinned_;  ///< dumps, including those that could not be pinned
};

}  // namespace cupilot::device
