// SPDX-License-Identifier: Apache-2.0
//
// Device code around a timed launch: a kernel that holds the stream until everything is queued, and a kernel
// that reads the clocks.
#include "evolution/device/kernels/kernels.h"

namespace cupilot::device::kernels {

namespace {

__device__ unsigned long long nanoseconds_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void hold_kernel(const volatile int *release, volatile int *timed_out,
                            unsigned long long timeout_ns, unsigned long long more_ns) {
  const unsigned long long start = nanoseconds_now();
  while (*release == 0) {
    if (nanoseconds_now() - start < timeout_ns) continue;
    *timed_out = 1;
    __threadfence_system();
    return;
  }
  const unsigned long long released = nanoseconds_now();
  while (nanoseconds_now() - released < more_ns) continue;
}

/// Cycle counters differ between multiprocessors, so only multiprocessor 0 answers. The grid has two blocks
/// for each multiprocessor, so that one runs there.
__global__ void clock_kernel(ClockReading *reading) {
  unsigned multiprocessor;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  if (multiprocessor != 0) return;
  reading->cycles = clock64();
  reading->nanoseconds = nanoseconds_now();
}

}  // namespace

cudaError_t hold_stream(const volatile int *release, volatile int *timed_out, unsigned long long timeout_ns,
                        unsigned long long more_ns, cudaStream_t stream) {
  hold_kernel<<<1, 1, 0, stream>>>(release, timed_out, timeout_ns, more_ns);
  return cudaGetLastError();
}

cudaError_t read_clock(ClockReading *reading, int multiprocessors, cudaStream_t stream) {
  clock_kernel<<<static_cast<unsigned>(multiprocessors) * 2, 1, 0, stream>>>(reading);
  return cudaGetLastError();
}

}  // namespace cupilot::device::kernels
