// SPDX-License-Identifier: Apache-2.0
//
// DeviceSession on the CUDA runtime. Internal to evolution/device; split over session.cpp (life, single runs)
// and timing.cpp (samples).

#pragma once

#include <cuda_runtime_api.h>

#include "evolution/device/case_memory.h"
#include "evolution/device/session.h"
#include "evolution/device/stopwatch.h"

namespace cupilot {

class CudaSession : public DeviceSession {
public:
  static Result<std::unique_ptr<DeviceSession>> open();  ///< open_cuda.h
  ~CudaSession() override;

  DeviceReport report() const override { return report_; }
  Result<double> copy_bandwidth_gbs() override;
  Result<std::shared_ptr<Entry>> load(const std::filesystem::path &library) override {
    return Entry::load(library);
  }
  Result<RunReport> run(Entry &entry, const std::vector<Parameter> &parameters, const Setting &setting,
                        std::span<std::byte> dump) override;
  Result<TimingReport> time(Entry &original, Entry &candidate, const std::vector<Parameter> &parameters,
                            const Setting &setting, const TimingOptions &options,
                            std::span<std::byte> dump) override;
  Profile profile(Entry &entry, const std::vector<Parameter> &parameters, const Setting &setting) override;

private:
  enum class Answer { launched, declined };

  CudaSession() = default;
  /// Queues the launch on the buffers of `memory`; an error is what the entry or its launch reported.
  Result<Answer> call(Entry &entry, const Case &which, CaseMemory &memory);
  Result<Answer> call(Entry &entry, const Case &which) { return call(entry, which, *memory_); }
  Result<> start_stopwatch();
  Result<double> median_cold_us(const Stopwatch::Launch &launch);
  Result<> warm_up(Entry &original, Entry &candidate, const Case &which, TimingReport &report);
  Result<> check_batch(Entry &candidate, const Case &which, TimingReport &report);
  /// The same as something to time; `entry`, `which` and `memory` outlive it.
  Stopwatch::Launch launcher(Entry &entry, const Case &which, CaseMemory &memory);
  Stopwatch::Launch launcher(Entry &entry, const Case &which) { return launcher(entry, which, *memory_); }

  DeviceReport report_;
  cudaStream_t stream_ = nullptr;
  std::unique_ptr<CaseMemory> memory_;
  std::unique_ptr<Stopwatch> stopwatch_;
};

}  // namespace cupilot
