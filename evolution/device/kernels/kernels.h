// SPDX-License-Identifier: Apache-2.0
//
// The worker's own device code behind plain functions. C++17 and the CUDA runtime only: included by nvcc and
// by g++. Every function queues work on `stream` and returns what the launch said.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "evolution/judge/data/input_rule.h"
#include "evolution/judge/data/poison.h"

namespace cupilot::kernels {

/// Element types by number, so that this header needs no other: the order of ElementType.
enum class Type : int { i8, u8, i16, u16, i32, u32, i64, u64, boolean, f16, bf16, f32, f64, opaque };

cudaError_t fill_input(void *buffer, Type type, const InputRule &rule, cudaStream_t stream);

cudaError_t fill_pattern(void *buffer, std::uint64_t bytes, std::uint16_t pattern, cudaStream_t stream);
/// Adds to *mismatches (device memory) the number of bytes that are not the pattern.
cudaError_t check_pattern(const void *buffer, std::uint64_t bytes, std::uint16_t pattern,
                          unsigned long long *mismatches, cudaStream_t stream);
/// Adds a hash of the bytes and their places to *sum (device memory); independent of the order of threads.
cudaError_t hash_bytes(const void *buffer, std::uint64_t bytes, unsigned long long *sum, cudaStream_t stream);

/// How the outputs of one launch differ from those of an earlier one on the same data, over all its buffers.
struct OutputDifference {
  unsigned long long changed = 0;     ///< elements whose bytes differ
  unsigned long long unwritten = 0;   ///< of these: still hold the poison
  unsigned long long not_finite = 0;  ///< of these: NaN or infinite in one of the two only
  unsigned deviation_bits = 0;  ///< largest |difference| / (|earlier| + its root mean square), a float's bits
  unsigned padding = 0;
};
/// Adds the sum of squares to *squares (device memory); `count` elements (bytes, when opaque).
cudaError_t add_squares(const void *values, std::uint64_t count, Type type, double *squares,
                        cudaStream_t stream);
/// Adds to *to (device memory); `squares`: what add_squares() made of `kept`.
cudaError_t tell_differences(const void *got, const void *kept, std::uint64_t count, Type type,
                             const double *squares, OutputDifference *to, cudaStream_t stream);

/// 16 bytes a thread; a yardstick for bandwidth. `bytes` is a multiple of 16.
cudaError_t copy_large(void *to, const void *from, std::uint64_t bytes, cudaStream_t stream);

/// Holds the stream until *release (mapped host memory) is not 0 and `more_ns` after that, or gives up after
/// `timeout_ns` and sets *timed_out: a launch that synchronises would otherwise never come back.
cudaError_t hold_stream(const volatile int *release, volatile int *timed_out, unsigned long long timeout_ns,
                        unsigned long long more_ns, cudaStream_t stream);

/// Of the multiprocessor 0: its cycle counter and the device's nanosecond clock.
struct ClockReading {
  unsigned long long cycles, nanoseconds;
};
cudaError_t read_clock(ClockReading *reading, int multiprocessors, cudaStream_t stream);

}  // namespace cupilot::kernels
