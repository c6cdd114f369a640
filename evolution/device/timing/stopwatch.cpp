// SPDX-License-Identifier: Apache-2.0
#include "evolution/device/timing/stopwatch.h"

#include <chrono>

#include "evolution/device/kernels/cuda_call.h"

namespace cupilot::device::timing {

namespace {

/// Longer than queueing a launch can take.
constexpr unsigned long long kHoldTimeoutNs = 500'000'000;
/// Least time for calculating the clock rate: on some devices the nanosecond clock ticks only about once a
/// microsecond.
constexpr unsigned long long kLeastClockNs = 4000;
/// Writing twice the cache's size replaces all old lines, whatever the replacement policy.
constexpr std::size_t kFlushFactor = 2;
/// The most that `dither` adds: a share of the cache's size, in whole sectors, and to the time that the
/// stream is held.
constexpr std::size_t kDitherShare = 4, kDitherStep = 32;
constexpr unsigned long long kDitherNs = 60'000;

}  // namespace

Result<std::unique_ptr<Stopwatch>> Stopwatch::make(cudaStream_t stream, std::size_t l2_bytes,
                                                   int multiprocessors) {
  std::unique_ptr<Stopwatch> watch(new Stopwatch(stream));
  watch->multiprocessors_ = multiprocessors;
  watch->flush_bytes_ = kFlushFactor * l2_bytes;
  watch->flush_more_ = l2_bytes / kDitherShare / kDitherStep * kDitherStep;
  CUPILOT_CUDA("creating events", cudaEventCreate(&watch->start_));
  CUPILOT_CUDA("creating events", cudaEventCreate(&watch->stop_));
  CUPILOT_CUDA("allocating the flush buffer",
               cudaMalloc(&watch->flush_buffer_, watch->flush_bytes_ + watch->flush_more_));
  void *flags = nullptr, *clocks = nullptr;
  CUPILOT_CUDA("allocating flags", cudaHostAlloc(&flags, 2 * sizeof(int), cudaHostAllocMapped));
  CUPILOT_CUDA("allocating clocks",
               cudaHostAlloc(&clocks, 2 * sizeof(kernels::ClockReading), cudaHostAllocMapped));
  watch->flags_ = static_cast<volatile int *>(flags);
  watch->clocks_ = static_cast<kernels::ClockReading *>(clocks);
  return watch;
}

Stopwatch::~Stopwatch() {
  (void)cudaEventDestroy(start_);
  (void)cudaEventDestroy(stop_);
  (void)cudaFree(flush_buffer_);
  (void)cudaFreeHost(const_cast<int *>(flags_));
  (void)cudaFreeHost(clocks_);
}

Result<> Stopwatch::flush(std::uint64_t more_bytes) {
  CUPILOT_CUDA("flushing the L2 cache",
               cudaMemsetAsync(flush_buffer_, ++flush_count_ & 0xff, flush_bytes_ + more_bytes, stream_));
  return {};
}

Result<double> Stopwatch::elapsed_us() {
  float milliseconds = 0;
  CUPILOT_CUDA("reading events", cudaEventElapsedTime(&milliseconds, start_, stop_));
  return static_cast<double>(milliseconds) * 1e3;
}

double Stopwatch::mean_clock_mhz() const {
  const auto nanoseconds = clocks_[1].nanoseconds - clocks_[0].nanoseconds;
  if (nanoseconds < kLeastClockNs || clocks_[1].nanoseconds < clocks_[0].nanoseconds) return 0;
  return static_cast<double>(clocks_[1].cycles - clocks_[0].cycles) * 1e3 / static_cast<double>(nanoseconds);
}

Result<judge::time::Sample> Stopwatch::cold(const Launch &launch, std::uint64_t dither) {
  const std::uint64_t steps = flush_more_ / kDitherStep + 1;
  CUPILOT_CHECKED(flush((dither >> 32) % steps * kDitherStep));
  CUPILOT_CUDA("flushing the L2 cache", cudaStreamSynchronize(stream_));
  flags_[0] = 0;
  flags_[1] = 0;
  CUPILOT_CUDA("holding the stream", kernels::hold_stream(&flags_[0], &flags_[1], kHoldTimeoutNs,
                                                          (dither & 0xffffffffu) % kDitherNs, stream_));
  CUPILOT_CUDA("reading the clock", kernels::read_clock(&clocks_[0], multiprocessors_, stream_));
  CUPILOT_CUDA("recording an event", cudaEventRecord(start_, stream_));
  const Result<> launched = launch();
  (void)cudaEventRecord(stop_, stream_);
  (void)kernels::read_clock(&clocks_[1], multiprocessors_, stream_);
  flags_[0] = 1;  // also after a failed launch: the stream must not stay held
  if (!launched) return std::unexpected(launched.error());
  CUPILOT_CUDA("running a timed launch", cudaStreamSynchronize(stream_));
  judge::time::Sample sample;
  sample.synchronised = flags_[1] != 0;
  CUPILOT_TRY(time, elapsed_us());
  sample.time_us = time;
  sample.sm_clock_mhz = mean_clock_mhz();
  return sample;
}

Result<Stopwatch::Batch> Stopwatch::batch(const Launch &launch, int count) {
  CUPILOT_CUDA("waiting for the device", cudaDeviceSynchronize());
  const auto start = std::chrono::steady_clock::now();
  CUPILOT_CUDA("recording an event", cudaEventRecord(start_, stream_));
  for (int i = 0; i < count; ++i) CUPILOT_CHECKED(launch());
  CUPILOT_CUDA("recording an event", cudaEventRecord(stop_, stream_));
  CUPILOT_CUDA("waiting for the device", cudaDeviceSynchronize());
  const std::chrono::duration<double, std::micro> wall = std::chrono::steady_clock::now() - start;
  CUPILOT_TRY(events, elapsed_us());
  return Batch{events, wall.count()};
}

}  // namespace cupilot::device::timing
