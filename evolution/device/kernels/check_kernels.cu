// SPDX-License-Identifier: Apache-2.0
//
// Compares on the device the outputs of a timed launch with those of an earlier launch on the same data: what
// a launch left unwritten, what differs at all, and by how much. Takes one pass, and costs almost nothing
// where bytes are equal.
#include "annotate/support/half.h"
#include "evolution/device/kernels/grid.h"
#include "evolution/device/kernels/kernels.h"

namespace cupilot::device::kernels {

namespace {

template <class T>
__device__ double as_double(T value) {
  return static_cast<double>(value);
}
template <>
__device__ double as_double<F16>(F16 value) {
  return static_cast<double>(float_from_f16(value.bits));
}
template <>
__device__ double as_double<Bf16>(Bf16 value) {
  return static_cast<double>(float_from_bf16(value.bits));
}

/// Compares the elements byte by byte.
template <class T>
__device__ bool same_bits(const T &a, const T &b) {
  const auto *left = reinterpret_cast<const std::uint8_t *>(&a);
  const auto *right = reinterpret_cast<const std::uint8_t *>(&b);
  for (int i = 0; i < static_cast<int>(sizeof(T)); ++i)
    if (left[i] != right[i]) return false;
  return true;
}

template <class T>
__device__ bool is_poison(const T &value, std::uint64_t index) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(&value);
  for (int i = 0; i < static_cast<int>(sizeof(T)); ++i) {
    const bool high = (index * sizeof(T) + static_cast<std::uint64_t>(i)) & 1;
    if (bytes[i] != static_cast<std::uint8_t>(high ? judge::data::kPoison >> 8 : judge::data::kPoison & 0xff))
      return false;
  }
  return true;
}

/// What one thread found. Positive floats are ordered like their bits.
struct Seen {
  unsigned long long changed = 0, unwritten = 0, not_finite = 0;
  unsigned deviation_bits = 0;

  template <class T>
  __device__ void add(T got, T kept, std::uint64_t index, double scale) {
    ++changed;
    if (is_poison(got, index)) {
      ++unwritten;
      return;
    }
    const double now = as_double(got), before = as_double(kept);
    const double distance = fabs(now - before);
    if (now == before || (now != now && before != before)) return;  // equal: +0 and -0, two NaNs
    if (!isfinite(distance)) {
      ++not_finite;
      return;
    }
    const auto deviation = static_cast<float>(fmin(distance / (fabs(before) + scale + 1e-300), 1e30));
    deviation_bits = max(deviation_bits, __float_as_uint(deviation));
  }

  /// Uses one set of atomic operations per warp, and only if something differs: when a sum is made in another
  /// order, almost every element differs.
  __device__ void tell(OutputDifference *to) {
    for (int lane = 16; lane > 0; lane /= 2) {
      changed += __shfl_down_sync(0xffffffffu, changed, lane);
      unwritten += __shfl_down_sync(0xffffffffu, unwritten, lane);
      not_finite += __shfl_down_sync(0xffffffffu, not_finite, lane);
      deviation_bits = max(deviation_bits, __shfl_down_sync(0xffffffffu, deviation_bits, lane));
    }
    if (threadIdx.x % 32 != 0 || changed == 0) return;
    atomicAdd(&to->changed, changed);
    if (unwritten) atomicAdd(&to->unwritten, unwritten);
    if (not_finite) atomicAdd(&to->not_finite, not_finite);
    atomicMax(&to->deviation_bits, deviation_bits);
  }
};

template <class T>
__global__ void difference_kernel(const T *got, const T *kept, std::uint64_t count, const double *squares,
                                  OutputDifference *to) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  const double scale = sqrt(*squares / static_cast<double>(count));
  Seen seen;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const T now = got[i], before = kept[i];
    if (!same_bits(now, before)) seen.add(now, before, i, scale);
  }
  seen.tell(to);
}

template <class T>
__global__ void squares_kernel(const T *values, std::uint64_t count, double *squares) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  double mine = 0;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step) {
    const double value = as_double(values[i]);
    if (isfinite(value)) mine += value * value;
  }
  for (int lane = 16; lane > 0; lane /= 2) mine += __shfl_down_sync(0xffffffffu, mine, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(squares, mine);
}

struct Compare {
  const void *got, *kept;
  std::uint64_t count;
  double *squares;
  OutputDifference *to;
  cudaStream_t stream;

  template <class T>
  cudaError_t as() const {
    if (to)
      difference_kernel<T><<<blocks_for(count), kThreads, 0, stream>>>(
          static_cast<const T *>(got), static_cast<const T *>(kept), count, squares, to);
    else
      squares_kernel<T>
          <<<blocks_for(count), kThreads, 0, stream>>>(static_cast<const T *>(kept), count, squares);
    return cudaGetLastError();
  }
};

cudaError_t by_type(Type type, const Compare &compare) {
  if (compare.count == 0) return cudaSuccess;
  switch (type) {
    case Type::i8:
      return compare.as<std::int8_t>();
    case Type::u8:
    case Type::boolean:
    case Type::opaque:
      return compare.as<std::uint8_t>();
    case Type::i16:
      return compare.as<std::int16_t>();
    case Type::u16:
      return compare.as<std::uint16_t>();
    case Type::i32:
      return compare.as<std::int32_t>();
    case Type::u32:
      return compare.as<std::uint32_t>();
    case Type::i64:
      return compare.as<long long>();
    case Type::u64:
      return compare.as<unsigned long long>();
    case Type::f16:
      return compare.as<F16>();
    case Type::bf16:
      return compare.as<Bf16>();
    case Type::f32:
      return compare.as<float>();
    case Type::f64:
      return compare.as<double>();
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t add_squares(const void *values, std::uint64_t count, Type type, double *squares,
                        cudaStream_t stream) {
  return by_type(type, {nullptr, values, count, squares, nullptr, stream});
}

cudaError_t tell_differences(const void *got, const void *kept, std::uint64_t count, Type type,
                             const double *squares, OutputDifference *to, cudaStream_t stream) {
  return by_type(type, {got, kept, count, const_cast<double *>(squares), to, stream});
}

}  // namespace cupilot::device::kernels
