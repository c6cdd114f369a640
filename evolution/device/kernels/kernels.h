// SPDX-License-Identifier: Apache-2.0
//
// The worker's own device code behind plain functions. Uses only C++17 and the CUDA runtime, because nvcc and
// g++ both include this header. Every function queues work on `stream` and returns the result of the launch.

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "evolution/judge/data/input_rule.h"
#include "evolution/judge/data/poison.h"

namespace cupilot::device::kernels {

/// Element types in the order of ElementType, repeated here so that this header needs no other.
enum class Type : int { i8, u8, i16, u16, i32, u32, i64, u64, boolean, f16, bf16, f32, f64, opaque };

cudaError_t fill_input(void *buffer, Type type, const judge::data::InputRule &rule, cudaStream_t stream);

/// Where a member of a class type stands: `count` values, `offset` bytes from the start of every element;
/// elements are `stride` bytes apart. A stride of 0: the values stand one after the other.
struct MemberPlace {
  std::uint64_t stride, offset, count;
};
cudaError_t fill_member(void *buffer, Type type, MemberPlace place, const judge::data::InputRule &rule,
                        cudaStream_t stream);

cudaError_t fill_pattern(void *buffer, std::uint64_t bytes, std::uint16_t pattern, cudaStream_t stream);
/// Adds to *mismatches (device memory) the number of bytes that differ from the pattern.
cudaError_t check_pattern(const void *buffer, std::uint64_t bytes, std::uint16_t pattern,
                          unsigned long long *mismatches, cudaStream_t stream);
/// Adds a hash of the bytes and their positions to *sum (device memory). It does not depend on the order of
/// threads.
cudaError_t hash_bytes(const void *buffer, std::uint64_t bytes, unsigned long long *sum, cudaStream_t stream);

/// How the outputs of one launch, over all its buffers, differ from those of an earlier one on the same data.
struct OutputDifference {
  unsigned long long changed = 0;     ///< elements whose bytes differ
  unsigned long long unwritten = 0;   ///< of these: elements that still hold the poison
  unsigned long long not_finite = 0;  ///< of these: NaN or infinite in only one of the two
  unsigned deviation_bits = 0;        ///< bits of a float: largest |difference| / (|earlier| + RMS)
  unsigned padding = 0;
};
/// Adds the sum of squares of `count` elements (bytes, if opaque) to *squares (device memory).
cudaError_t add_squares(const void *values, std::uint64_t count, Type type, double *squares,
                        cudaStream_t stream);
/// Adds the differences to *to (device memory). `squares` is the result of add_squares() for `kept`; it gives
/// the root mean square.
cudaError_t tell_differences(const void *got, const void *kept, std::uint64_t count, Type type,
                             const double *squares, OutputDifference *to, cudaStream_t stream);

/// Copies 16 bytes per thread, to measure bandwidth. `bytes` is a multiple of 16.
cudaError_t copy_large(void *to, const void *from, std::uint64_t bytes, cudaStream_t stream);

/// Holds the stream until *release (mapped host memory) is not 0, and `more_ns` longer. Gives up after
/// `timeout_ns` and sets *timed_out: otherwise a launch that synchronises would never return.
cudaError_t hold_stream(const volatile int *release, volatile int *timed_out, unsigned long long timeout_ns,
                        unsigned long long more_ns, cudaStream_t stream);

/// The cycle counter of multiprocessor 0 and the device's nanosecond clock.
struct ClockReading {
  unsigned long long cycles, nanoseconds;
};
cudaError_t read_clock(ClockReading *reading, int multiprocessors, cudaStream_t stream);

}  // namespace cupilot::device::kernels
