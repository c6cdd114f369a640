// SPDX-License-Identifier: Apache-2.0
//
// Takes one cold sample of one launch: flush the L2, hold the stream, queue clock, event, launch, event,
// clock, and release the stream. The time does not contain what the host does between queueing and release.
// Internal to evolution/device.

#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

#include "annotate/support/result.h"
#include "evolution/device/kernels/kernels.h"
#include "evolution/judge/time/sampling.h"

namespace cupilot::device::timing {

class Stopwatch {
public:
  static Result<std::unique_ptr<Stopwatch>> make(cudaStream_t stream, std::size_t l2_bytes,
                                                 int multiprocessors);
  ~Stopwatch();
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &operator=(const Stopwatch &) = delete;

  using Launch = std::function<Result<>()>;
  /// `dither` is random bits that vary how long the stream is held and how much is flushed. If all samples
  /// were equal, periodic activity of the device (memory refreshes, the cache's replacement) could stay in
  /// step with them and hit one of two kernels more often.
  Result<judge::time::Sample> cold(const Launch &launch, std::uint64_t dither = 0);
  Result<> flush(std::uint64_t more_bytes = 0);

  struct Batch {
    double events_us = 0, wall_us = 0;
  };
  /// Times `count` launches without holding the stream: the stream's own time, and the time until the whole
  /// device is idle.
  Result<Batch> batch(const Launch &launch, int count);

private:
  explicit Stopwatch(cudaStream_t stream) : stream_(stream) {}
  Result<double> elapsed_us();
  double mean_clock_mhz() const;

  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  void *flush_buffer_ = nullptr;
  std::size_t flush_bytes_ = 0, flush_more_ = 0;
  int multiprocessors_ = 0;
  int flush_count_ = 0;
  volatile int *flags_ = nullptr;            ///< mapped host memory: [0] release, [1] timed out
  kernels::ClockReading *clocks_ = nullptr;  ///< mapped host memory: before, after
};

}  // namespace cupilot::device::timing
