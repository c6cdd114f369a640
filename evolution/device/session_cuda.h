// SPDX-License-Identifier: Apache-2.0
//
// DeviceSession on the CUDA runtime. Internal to evolution/device; split over session.cpp (life, single runs)
// and timing.cpp (samples).

#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <set>

#include "evolution/device/cuda_entry.h"
#include "evolution/device/memory/case_memory.h"
#include "evolution/device/timing/rotation.h"
#include "evolution/device/timing/stopwatch.h"
#include "evolution/judge/launches/session.h"

namespace cupilot {

class CudaSession : public DeviceSession {
public:
  static Result<std::unique_ptr<DeviceSession>> open();  ///< open_cuda.h
  ~CudaSession() override;

  DeviceReport report() const override { return report_; }
  Result<double> copy_bandwidth_gbs() override;
  Result<std::shared_ptr<Entry>> load(const std::filesystem::path &library, HostRules host) override {
    return CudaEntry::load(library, std::move(host));
  }
  Result<RunReport> run(Entry &entry, const std::vector<Parameter> &parameters, const Setting &setting,
                        std::span<std::byte> dump) override;
  Result<TimingReport> time(Entry &original, Entry &candidate, const std::vector<Parameter> &parameters,
                            const Setting &setting, const TimingOptions &options) override;
  Result<> timed_outputs(std::size_t content, std::span<std::byte> dump) override;
  Profile profile(Entry &entry, const std::vector<Parameter> &parameters, const Setting &setting) override;

private:
  enum class Answer { launched, declined, at_fault };

  CudaSession() = default;
  /// What a call of the entry launches on the buffers of `memory`. A fault of the host side is kept, too.
  Result<CudaEntry::Prepared> prepare(Entry &entry, const Case &which, CaseMemory &memory);
  /// Queues it; an error is what the entry or its launch reported.
  Result<Answer> call(Entry &entry, const Case &which, CaseMemory &memory);
  Result<Answer> call(Entry &entry, const Case &which) { return call(entry, which, *memory_); }
  Result<RunReport> run_plain(CudaEntry &entry, const std::vector<Parameter> &parameters,
                              const Setting &setting, std::span<std::byte> dump);
  // manners.cpp
  Result<RunReport> run_beside(CudaEntry &entry, const std::vector<Parameter> &parameters,
                               const Setting &setting, std::span<std::byte> dump);
  Result<RunReport> run_captured(CudaEntry &entry, const std::vector<Parameter> &parameters,
                                 const Setting &setting, std::span<std::byte> dump);
  Result<RunReport> run_exactly(CudaEntry &entry, const std::vector<Parameter> &parameters,
                                const Setting &setting);
  /// Copies into a large dump go three times as fast once its pages stay; where they cannot, slowly.
  void pin(std::span<std::byte> dump);
  Result<> start_stopwatch();
  Result<double> median_cold_us(const Stopwatch::Launch &launch);
  /// The same as something to time, prepared now; `memory` outlives it.
  Stopwatch::Launch launcher(Entry &entry, const Case &which, CaseMemory &memory);
  Stopwatch::Launch launcher(Entry &entry, const Case &which) { return launcher(entry, which, *memory_); }

  DeviceReport report_;
  std::optional<Fault> host_fault_;  ///< of the last prepare()
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<CaseMemory> memory_;
  std::unique_ptr<Stopwatch> stopwatch_;
  std::unique_ptr<Rotation> rotation_;  ///< of the last comparison, until its outputs were asked for
  std::set<const std::byte *> pinned_;  ///< dumps, also those that could not be
};

}  // namespace cupilot
