// SPDX-License-Identifier: Apache-2.0
//
// The 30 kernels the estimate was first compared with (copies, GEMM steps, reductions, ...). The fresh ones
// are in reference_fresh.cu.
#include "tests/emulate/estimate/reference_launch.h"

#define KERNEL extern "C" __global__ void

namespace {
__device__ __forceinline__ int global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
}  // namespace

KERNEL copy_scalar(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = x[i];
}

KERNEL copy_float4(const float4 *__restrict__ x, float4 *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = x[i];
}

KERNEL copy_stride32(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i >= n) return;
  const long long at = static_cast<long long>(i) * 32;
  const int j = static_cast<int>(at % n + at / n);
  y[j] = x[j];
}

KERNEL saxpy(float a, const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = a * x[i] + y[i];
}

KERNEL saxpy4(float a, const float4 *__restrict__ x, float4 *__restrict__ y, int n) {
  const int i = global_index();
  if (i >= n) return;
  const float4 u = x[i];
  float4 v = y[i];
  v.x += a * u.x;
  v.y += a * u.y;
  v.z += a * u.z;
  v.w += a * u.w;
  y[i] = v;
}

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};

KERNEL aos(const Particle *__restrict__ particles, float *__restrict__ out, int n) {
  const int i = global_index();
  if (i < n) out[i] = particles[i].mass * particles[i].charge;
}

KERNEL soa(const float *__restrict__ mass, const float *__restrict__ charge, float *__restrict__ out, int n) {
  const int i = global_index();
  if (i < n) out[i] = mass[i] * charge[i];
}

KERNEL ew_exp(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = expf(x[i]) / (1.0f + expf(-x[i]));
}

KERNEL ew_exp4(const float4 *__restrict__ x, float4 *__restrict__ y, int n) {
  const int i = global_index();
  if (i >= n) return;
  float4 v = x[i];
  v.x = expf(v.x) / (1.0f + expf(-v.x));
  v.y = expf(v.y) / (1.0f + expf(-v.y));
  v.z = expf(v.z) / (1.0f + expf(-v.z));
  v.w = expf(v.w) / (1.0f + expf(-v.w));
  y[i] = v;
}

KERNEL ew_exp_fast(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = __fdividef(__expf(x[i]), 1.0f + __expf(-x[i]));
}

// Transposes: blocks of 32 x 8 threads move 32 x 32 elements.

KERNEL transpose_naive(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[column * n + row + k] = x[(row + k) * n + column];
}

template <int kPad>
__device__ void transpose_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[32][32 + kPad];
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * n + column];
  __syncthreads();
  const int to_column = blockIdx.y * 32 + threadIdx.x, to_row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(to_row + k) * n + to_column] = tile[threadIdx.x][threadIdx.y + k];
}
KERNEL transpose_shared(const float *__restrict__ x, float *__restrict__ y, int n) {
  transpose_tile<0>(x, y, n);
}
KERNEL transpose_padded(const float *__restrict__ x, float *__restrict__ y, int n) {
  transpose_tile<1>(x, y, n);
}

// Reductions.

KERNEL reduce_atomic(const float *__restrict__ x, float *sum, int n) {
  const int i = global_index();
  if (i < n) atomicAdd(sum, x[i]);
}

KERNEL reduce_tree(const float *__restrict__ x, float *sums, int n) {
  __shared__ float part[256];
  const int i = global_index();
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__device__ __forceinline__ float warp_sum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(0xffffffffu, value, lane);
  return value;
}

__device__ __forceinline__ void block_sum(float value, float *sum) {
  __shared__ float part[32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  value = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
  if (threadIdx.x == 0) atomicAdd(sum, value);
}

KERNEL reduce_shfl(const float *__restrict__ x, float *sum, int n) {
  float value = 0;
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x) value += x[i];
  block_sum(value, sum);
}

KERNEL reduce_shfl4(const float4 *__restrict__ x, float *sum, int n) {
  float value = 0;
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x) {
    const float4 v = x[i];
    value += v.x + v.y + v.z + v.w;
  }
  block_sum(value, sum);
}

KERNEL rowsum_thread(const float *__restrict__ x, float *__restrict__ sums, int rows, int columns) {
  const int row = global_index();
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) sum += x[row * columns + i];
  sums[row] = sum;
}

KERNEL rowsum_warp(const float *__restrict__ x, float *__restrict__ sums, int rows, int columns) {
  const int row = global_index() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += x[row * columns + i];
  sum = warp_sum(sum);
  if (lane == 0) sums[row] = sum;
}

KERNEL rowsum_warp4(const float4 *__restrict__ x, float *__restrict__ sums, int rows, int columns) {
  const int row = global_index() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns / 4; i += 32) {
    const float4 v = x[row * (columns / 4) + i];
    sum += v.x + v.y + v.z + v.w;
  }
  sum = warp_sum(sum);
  if (lane == 0) sums[row] = sum;
}

// GEMM steps: C = A * B, n x n, row-major.

KERNEL gemm_uncoalesced(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                        int n) {
  const int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

KERNEL gemm_coalesced(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                      int n) {
  const int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <int kTile>
__device__ void gemm_tile(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                          int n) {
  __shared__ float as[kTile][kTile], bs[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    as[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
KERNEL gemm_tile16(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  gemm_tile<16>(a, b, c, n);
}
KERNEL gemm_tile32(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  gemm_tile<32>(a, b, c, n);
}

/// 128 x 128 of C a block of 256 threads, 8 x 8 a thread, 8 of K at a time, 16-byte accesses.
KERNEL __launch_bounds__(256)
    gemm_register(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n) {
  __shared__ __align__(16) float as[8][128], bs[8][128];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int a_row = threadIdx.x / 2, a_column = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_column = threadIdx.x % 32 * 4;
  const float *a_from = a + (blockIdx.y * 128 + a_row) * n + a_column;
  const float *b_from = b + b_row * n + blockIdx.x * 128 + b_column;
  float sum[8][8] = {};
  for (int first = 0; first < n; first += 8) {
    const float4 u = *reinterpret_cast<const float4 *>(a_from + first);
    as[a_column][a_row] = u.x;
    as[a_column + 1][a_row] = u.y;
    as[a_column + 2][a_row] = u.z;
    as[a_column + 3][a_row] = u.w;
    *reinterpret_cast<float4 *>(&bs[b_row][b_column]) = *reinterpret_cast<const float4 *>(b_from + first * n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; i += 4) {
        *reinterpret_cast<float4 *>(x + i) = *reinterpret_cast<const float4 *>(&as[k][ty * 8 + i]);
        *reinterpret_cast<float4 *>(y + i) = *reinterpret_cast<const float4 *>(&bs[k][tx * 8 + i]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(c + (blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8 + j) =
          make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

KERNEL hist_global(const int *__restrict__ x, int *bins, int n) {
  const int i = global_index();
  if (i < n) atomicAdd(bins + (x[i] & 255), 1);
}

KERNEL hist_shared(const int *__restrict__ x, int *bins, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x) atomicAdd(mine + (x[i] & 255), 1);
  __syncthreads();
  atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

__device__ __forceinline__ void attract(float4 &force, float4 me, float4 other) {
  const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
  const float strength = other.w * inverse * inverse * inverse;
  force.x += dx * strength;
  force.y += dy * strength;
  force.z += dz * strength;
}

KERNEL nbody_direct(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                    const float *__restrict__ m, float4 *__restrict__ forces, int n) {
  const int i = global_index();
  const float4 me = make_float4(x[i], y[i], z[i], m[i]);
  float4 force = make_float4(0, 0, 0, 0);
  for (int j = 0; j < n; ++j) attract(force, me, make_float4(x[j], y[j], z[j], m[j]));
  forces[i] = force;
}

KERNEL nbody_tiled(const float4 *__restrict__ bodies, float4 *__restrict__ forces, int n) {
  __shared__ float4 tile[256];
  const int i = global_index();
  const float4 me = bodies[i];
  float4 force = make_float4(0, 0, 0, 0);
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < 256; ++j) attract(force, me, tile[j]);
    __syncthreads();
  }
  forces[i] = force;
}

#define ENTRY(kernel) {#kernel, reinterpret_cast<const void *>(kernel)}
namespace cupilot::reference {
std::map<std::string, const void *> old_kernels() {
  return {ENTRY(copy_scalar),
          ENTRY(copy_float4),
          ENTRY(copy_stride32),
          ENTRY(saxpy),
          ENTRY(saxpy4),
          ENTRY(aos),
          ENTRY(soa),
          ENTRY(ew_exp),
          ENTRY(ew_exp4),
          ENTRY(ew_exp_fast),
          ENTRY(transpose_naive),
          ENTRY(transpose_shared),
          ENTRY(transpose_padded),
          ENTRY(reduce_atomic),
          ENTRY(reduce_tree),
          ENTRY(reduce_shfl),
          ENTRY(reduce_shfl4),
          ENTRY(rowsum_thread),
          ENTRY(rowsum_warp),
          ENTRY(rowsum_warp4),
          ENTRY(gemm_uncoalesced),
          ENTRY(gemm_coalesced),
          ENTRY(gemm_tile16),
          ENTRY(gemm_tile32),
          ENTRY(gemm_register),
          ENTRY(hist_global),
          ENTRY(hist_shared),
          ENTRY(nbody_direct),
          ENTRY(nbody_tiled)};
}

__global__ void fill_kernel(std::uint32_t *words, std::uint64_t count, Fill fill, std::uint32_t limit) {
  for (std::uint64_t i = blockIdx.x * 256ull + threadIdx.x; i < count; i += gridDim.x * 256ull)
    words[i] = fill_word(fill, static_cast<std::uint32_t>(i), limit);
}

cudaError_t fill_buffer(void *buffer, std::uint64_t bytes, Fill fill, std::uint32_t limit,
                        cudaStream_t stream) {
  fill_kernel<<<4096, 256, 0, stream>>>(static_cast<std::uint32_t *>(buffer), bytes / 4, fill, limit);
  return cudaGetLastError();
}
}  // namespace cupilot::reference
