// SPDX-License-Identifier: Apache-2.0
//
// Fills, poisons, checks, hashes and copies device memory. Buffers may start at any element, so everything
// but the copy works on elements or bytes of their natural size: making no assumptions matters more here than
// speed.
#include "annotate/support/half.h"
#include "evolution/device/kernels/grid.h"
#include "evolution/device/kernels/kernels.h"

namespace cupilot::device::kernels {

namespace {

template <class T>
__device__ T converted(double value) {
  return static_cast<T>(value);
}
template <>
__device__ float converted<float>(double value) {
  return judge::data::float_of(value);
}
template <>
__device__ F16 converted<F16>(double value) {
  return {judge::data::f16_of(value)};
}
template <>
__device__ Bf16 converted<Bf16>(double value) {
  return {judge::data::bf16_of(value)};
}

/// One copy of a long function for all types: written into each kernel it takes nvcc four minutes.
__device__ __noinline__ double value_at(const judge::data::InputRule &rule, std::uint64_t i) {
  return judge::data::input_value(rule, i);
}

/// Values are calculated as double, so integers are exact below 2^53 only, which is enough.
template <class T>
__global__ void fill_kernel(T *buffer, judge::data::InputRule rule) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rule.count;
       i += step)
    buffer[i] = converted<T>(value_at(rule, i));
}

template <class T>
__global__ void fill_member_kernel(char *buffer, MemberPlace place, judge::data::InputRule rule) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < rule.count;
       i += step) {
    char *element = buffer + i / place.count * place.stride + place.offset;
    reinterpret_cast<T *>(element)[i % place.count] = converted<T>(value_at(rule, i));
  }
}

template <class T>
cudaError_t fill_as(void *buffer, MemberPlace place, const judge::data::InputRule &rule,
                    cudaStream_t stream) {
  if (place.stride == 0)
    fill_kernel<T><<<blocks_for(rule.count), kThreads, 0, stream>>>(static_cast<T *>(buffer), rule);
  else
    fill_member_kernel<T>
        <<<blocks_for(rule.count), kThreads, 0, stream>>>(static_cast<char *>(buffer), place, rule);
  return cudaGetLastError();
}

__device__ std::uint8_t pattern_byte(std::uint16_t pattern, std::uint64_t i) {
  return static_cast<std::uint8_t>(i & 1 ? pattern >> 8 : pattern);
}

/// Uses 16-byte stores where the buffer's alignment allows, and single bytes at both ends.
__global__ void pattern_kernel(std::uint8_t *buffer, std::uint64_t bytes, std::uint16_t pattern) {
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  const std::uint64_t misfit = (16 - reinterpret_cast<std::uintptr_t>(buffer) % 16) % 16;
  const std::uint64_t head = misfit < bytes ? misfit : bytes, wide = (bytes - head) / 16;
  const std::uint16_t turned = head & 1 ? static_cast<std::uint16_t>(pattern << 8 | pattern >> 8) : pattern;
  const std::uint32_t word = turned | static_cast<std::uint32_t>(turned) << 16;
  uint4 *middle = reinterpret_cast<uint4 *>(buffer + head);
  for (std::uint64_t i = thread; i < wide; i += step) middle[i] = make_uint4(word, word, word, word);
  for (std::uint64_t i = thread; i < head; i += step) buffer[i] = pattern_byte(pattern, i);
  for (std::uint64_t i = head + wide * 16 + thread; i < bytes; i += step)
    buffer[i] = pattern_byte(pattern, i);
}

__global__ void check_kernel(const std::uint8_t *buffer, std::uint64_t bytes, std::uint16_t pattern,
                             unsigned long long *mismatches) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  unsigned long long found = 0;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes;
       i += step)
    found += buffer[i] != pattern_byte(pattern, i);
  if (found) atomicAdd(mismatches, found);
}

/// Reads 16 bytes at once if the buffer is aligned for it, else single bytes. The two ways give different
/// sums, so sums can be compared only for the same address (before and after one launch).
__global__ void hash_kernel(const std::uint8_t *buffer, std::uint64_t bytes, unsigned long long *sum) {
  const std::uint64_t thread = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  const bool aligned = reinterpret_cast<std::uintptr_t>(buffer) % 16 == 0;
  const std::uint64_t wide = aligned ? bytes / 16 : 0;
  unsigned long long mine = 0;
  for (std::uint64_t i = thread; i < wide; i += step) {
    const ulonglong2 value = reinterpret_cast<const ulonglong2 *>(buffer)[i];
    mine += judge::data::input_bits(value.x, 2 * i) + judge::data::input_bits(value.y, 2 * i + 1);
  }
  for (std::uint64_t i = wide * 16 + thread; i < bytes; i += step)
    mine += judge::data::input_bits(buffer[i], i);
  for (int lane = 16; lane > 0; lane /= 2) mine += __shfl_down_sync(0xffffffffu, mine, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}

// One access per thread: on Hopper this is faster than a loop or several accesses in flight per thread.
__global__ void __launch_bounds__(kThreads)
    copy_kernel(float4 *__restrict__ to, const float4 *__restrict__ from, std::uint64_t count) {
  const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i < count) to[i] = from[i];
}

}  // namespace

cudaError_t fill_member(void *buffer, Type type, MemberPlace place, const judge::data::InputRule &rule,
                        cudaStream_t stream) {
  if (rule.count == 0) return cudaSuccess;
  switch (type) {
    case Type::i8:
      return fill_as<std::int8_t>(buffer, place, rule, stream);
    case Type::u8:
    case Type::boolean:
      return fill_as<std::uint8_t>(buffer, place, rule, stream);
    case Type::i16:
      return fill_as<std::int16_t>(buffer, place, rule, stream);
    case Type::u16:
      return fill_as<std::uint16_t>(buffer, place, rule, stream);
    case Type::i32:
      return fill_as<std::int32_t>(buffer, place, rule, stream);
    case Type::u32:
      return fill_as<std::uint32_t>(buffer, place, rule, stream);
    case Type::i64:
      return fill_as<long long>(buffer, place, rule, stream);
    case Type::u64:
      return fill_as<unsigned long long>(buffer, place, rule, stream);
    case Type::f16:
      return fill_as<F16>(buffer, place, rule, stream);
    case Type::bf16:
      return fill_as<Bf16>(buffer, place, rule, stream);
    case Type::opaque:
    case Type::f32:
      return fill_as<float>(buffer, place, rule, stream);
    case Type::f64:
      return fill_as<double>(buffer, place, rule, stream);
  }
  return cudaErrorInvalidValue;
}

cudaError_t fill_input(void *buffer, Type type, const judge::data::InputRule &rule, cudaStream_t stream) {
  return fill_member(buffer, type, {0, 0, 1}, rule, stream);
}

cudaError_t fill_pattern(void *buffer, std::uint64_t bytes, std::uint16_t pattern, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  pattern_kernel<<<blocks_for(bytes / 16 + 16), kThreads, 0, stream>>>(static_cast<std::uint8_t *>(buffer),
                                                                       bytes, pattern);
  return cudaGetLastError();
}

cudaError_t check_pattern(const void *buffer, std::uint64_t bytes, std::uint16_t pattern,
                          unsigned long long *mismatches, cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  check_kernel<<<blocks_for(bytes), kThreads, 0, stream>>>(static_cast<const std::uint8_t *>(buffer), bytes,
                                                           pattern, mismatches);
  return cudaGetLastError();
}

cudaError_t hash_bytes(const void *buffer, std::uint64_t bytes, unsigned long long *sum,
                       cudaStream_t stream) {
  if (bytes == 0) return cudaSuccess;
  hash_kernel<<<blocks_for(bytes / 16 + 16), kThreads, 0, stream>>>(static_cast<const std::uint8_t *>(buffer),
                                                                    bytes, sum);
  return cudaGetLastError();
}

cudaError_t copy_large(void *to, const void *from, std::uint64_t bytes, cudaStream_t stream) {
  const std::uint64_t count = bytes / 16;
  copy_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      static_cast<float4 *>(to), static_cast<const float4 *>(from), count);
  return cudaGetLastError();
}

}  // namespace cupilot::device::kernels
