// SPDX-License-Identifier: Apache-2.0
//
// Kernels of other kinds than the first 30. FRESH: measured once to judge the finished model, never used to
// fit it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "tests/emulate/estimate/reference_launch.h"

#define KERNEL extern "C" __global__ void

namespace {

__device__ __forceinline__ int global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ float warp_sum(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_xor_sync(0xffffffffu, value, lane);
  return value;
}

__device__ __forceinline__ float warp_max(float value) {
  for (int lane = 16; lane > 0; lane /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, lane));
  return value;
}

/// Every thread of the block gets it.
__device__ __forceinline__ float block_sum(float value, float *part) {
  value = warp_sum(value);
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_sum(threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : 0);
}

}  // namespace

/// One 32 x 32 x 32 product a block.
KERNEL batched_gemm32(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
  __shared__ float as[32][33], bs[32][33];
  const int base = blockIdx.x * 1024, x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    as[y + k][x] = a[base + (y + k) * 32 + x];
    bs[y + k][x] = b[base + (y + k) * 32 + x];
  }
  __syncthreads();
  float sum[4] = {};
  for (int k = 0; k < 32; ++k)
    for (int i = 0; i < 4; ++i) sum[i] += as[y + 8 * i][k] * bs[k][x];
  for (int i = 0; i < 4; ++i) c[base + (y + 8 * i) * 32 + x] = sum[i];
}

KERNEL conv1d(const float *__restrict__ x, const float *__restrict__ weights, float *__restrict__ y, int n,
              int taps) {
  const int i = global_index();
  if (i >= n - taps) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += x[i + k] * weights[k];
  y[i] = sum;
}

KERNEL conv2d_direct(const float *__restrict__ x, const float *__restrict__ weights, float *__restrict__ y,
                     int width, int height) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column < 2 || row < 2 || column >= width - 2 || row >= height - 2) return;
  float sum = 0;
#pragma unroll
  for (int dy = -2; dy <= 2; ++dy)
#pragma unroll
    for (int dx = -2; dx <= 2; ++dx)
      sum += x[(row + dy) * width + column + dx] * weights[(dy + 2) * 5 + dx + 2];
  y[row * width + column] = sum;
}

/// 7 x 7 taps over a tile with its halo in shared memory.
KERNEL conv2d_tiled(const float *__restrict__ x, const float *__restrict__ weights, float *__restrict__ y,
                    int width, int height) {
  __shared__ float tile[16 + 6][32 + 6], taps[49];
  const int thread = threadIdx.y * 32 + threadIdx.x;
  if (thread < 49) taps[thread] = weights[thread];
  for (int at = thread; at < 22 * 38; at += 512) {
    const int row = blockIdx.y * 16 + at / 38 - 3, column = blockIdx.x * 32 + at % 38 - 3;
    const bool inside = row >= 0 && row < height && column >= 0 && column < width;
    tile[at / 38][at % 38] = inside ? x[row * width + column] : 0;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int dy = 0; dy < 7; ++dy)
#pragma unroll
    for (int dx = 0; dx < 7; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx] * taps[dy * 7 + dx];
  y[(blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x] = sum;
}

KERNEL layer_norm(const float *__restrict__ x, const float *__restrict__ scale, float *__restrict__ y,
                  int columns) {
  __shared__ float part[32];
  const float *row = x + static_cast<long long>(blockIdx.x) * columns;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    sum += row[i];
    squares += row[i] * row[i];
  }
  const float mean = block_sum(sum, part) / columns;
  const float variance = block_sum(squares, part) / columns - mean * mean, inverse = rsqrtf(variance + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[static_cast<long long>(blockIdx.x) * columns + i] = (row[i] - mean) * inverse * scale[i];
}

KERNEL softmax_warp(const float *__restrict__ x, float *__restrict__ y, int rows, int columns) {
  const int row = global_index() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *from = x + static_cast<long long>(row) * columns;
  float most = -1e30f, sum = 0;
  for (int i = lane; i < columns; i += 32) most = fmaxf(most, from[i]);
  most = warp_max(most);
  for (int i = lane; i < columns; i += 32) sum += expf(from[i] - most);
  sum = warp_sum(sum);
  for (int i = lane; i < columns; i += 32)
    y[static_cast<long long>(row) * columns + i] = expf(from[i] - most) / sum;
}

/// Inclusive sums within a block of 1024 (Hillis-Steele in shared memory).
KERNEL scan_block(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int values[2][1024];
  const int i = blockIdx.x * 1024 + threadIdx.x;
  int now = 0;
  values[0][threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 1024; step *= 2) {
    const int before = threadIdx.x >= step ? values[now][threadIdx.x - step] : 0;
    values[1 - now][threadIdx.x] = values[now][threadIdx.x] + before;
    now = 1 - now;
    __syncthreads();
  }
  if (i < n) y[i] = values[now][threadIdx.x];
}

KERNEL warp_prefix(const int *__restrict__ x, int *__restrict__ y, int n) {
  const int i = global_index(), lane = threadIdx.x % 32;
  int value = x[i];
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += other;
  }
  y[i] = value;
}

KERNEL stencil3d(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = blockIdx.z;
  if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1) return;
  const int at = (k * n + j) * n + i;
  y[at] =
      0.4f * x[at] + 0.1f * (x[at - 1] + x[at + 1] + x[at - n] + x[at + n] + x[at - n * n] + x[at + n * n]);
}

KERNEL gather(const float *__restrict__ x, const int *__restrict__ index, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = x[index[i]];
}

KERNEL scatter(const float *__restrict__ x, const int *__restrict__ index, float *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[index[i]] = x[i];
}

KERNEL spmv_thread(const int *__restrict__ starts, const int *__restrict__ columns,
                   const float *__restrict__ values, const float *__restrict__ x, float *__restrict__ y,
                   int rows) {
  const int row = global_index();
  if (row >= rows) return;
  float sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

KERNEL spmv_warp(const int *__restrict__ starts, const int *__restrict__ columns,
                 const float *__restrict__ values, const float *__restrict__ x, float *__restrict__ y,
                 int rows) {
  const int row = global_index() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += 32) sum += values[k] * x[columns[k]];
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

KERNEL bit_count(const unsigned *__restrict__ x, int *__restrict__ sums, int n) {
  int count = 0;
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x) count += __popc(x[i]);
  count = __reduce_add_sync(0xffffffffu, count);
  if (threadIdx.x % 32 == 0) atomicAdd(sums, count);
}

KERNEL half2_axpy(const __half2 *__restrict__ x, __half2 *__restrict__ y, float a, int n) {
  const int i = global_index();
  if (i < n) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

KERNEL bf16_reduce(const __nv_bfloat162 *__restrict__ x, float *__restrict__ sums, int n) {
  __shared__ float part[32];
  float sum = 0;
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x) {
    const float2 pair = __bfloat1622float2(x[i]);
    sum += pair.x + pair.y;
  }
  sum = block_sum(sum, part);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// A warp a row of a byte matrix times a byte vector.
KERNEL int8_matvec(const int *__restrict__ matrix, const int *__restrict__ vector, int *__restrict__ y,
                   int rows, int words) {
  const int row = global_index() / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int sum = 0;
  for (int i = lane; i < words; i += 32) sum = __dp4a(matrix[row * words + i], vector[i], sum);
  sum = __reduce_add_sync(0xffffffffu, sum);
  if (lane == 0) y[row] = sum;
}

/// 16 x 16 tiles of 2-byte elements, wide matrix.
KERNEL transpose_half(const unsigned short *__restrict__ x, unsigned short *__restrict__ y, int rows,
                      int columns) {
  __shared__ unsigned short tile[16][18];
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x[row * columns + column];
  __syncthreads();
  y[(blockIdx.x * 16 + threadIdx.y) * rows + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

/// Column-major: neighbours read neighbours; one thread a row.
KERNEL matvec_columns(const float *__restrict__ matrix, const float *__restrict__ x, float *__restrict__ y,
                      int rows, int columns) {
  const int row = global_index();
  if (row >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += matrix[static_cast<long long>(k) * rows + row] * x[k];
  y[row] = sum;
}

KERNEL matvec_block(const float4 *__restrict__ matrix, const float4 *__restrict__ x, float *__restrict__ y,
                    int quads) {
  __shared__ float part[32];
  float sum = 0;
  for (int k = threadIdx.x; k < quads; k += blockDim.x) {
    const float4 m = matrix[static_cast<long long>(blockIdx.x) * quads + k], v = x[k];
    sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
  }
  sum = block_sum(sum, part);
  if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__device__ __forceinline__ float normal_cdf(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

KERNEL black_scholes(const float *__restrict__ price, const float *__restrict__ strike,
                     const float *__restrict__ years, float *__restrict__ call, float *__restrict__ put,
                     int n) {
  const int i = global_index();
  if (i >= n) return;
  const float s = price[i], x = strike[i], t = years[i], rate = 0.02f, volatility = 0.3f, root = sqrtf(t);
  const float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root, discount = x * expf(-rate * t);
  const float c1 = normal_cdf(d1), c2 = normal_cdf(d2);
  call[i] = s * c1 - discount * c2;
  put[i] = discount * (1.0f - c2) - s * (1.0f - c1);
}

KERNEL mandelbrot(int *__restrict__ out, int width, int height, int most) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  const float cx = -2.0f + 3.0f * column / width, cy = -1.5f + 3.0f * row / height;
  float x = 0, y = 0;
  int i = 0;
  for (; i < most && x * x + y * y < 4.0f; ++i) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[row * width + column] = i;
}

/// Pairs of 6-bit symbols: 4096 bins of shared memory a block.
KERNEL bigram_histogram(const unsigned char *__restrict__ text, int *bins, int n) {
  extern __shared__ int mine[];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) mine[i] = 0;
  __syncthreads();
  for (int i = global_index(); i < n - 1; i += gridDim.x * blockDim.x)
    atomicAdd(mine + ((text[i] & 63) << 6 | (text[i + 1] & 63)), 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 4096; i += blockDim.x)
    if (mine[i]) atomicAdd(bins + i, mine[i]);
}

KERNEL argmax(const float *__restrict__ x, unsigned long long *best, int n) {
  float most = -1e30f;
  int at = 0;
  for (int i = global_index(); i < n; i += gridDim.x * blockDim.x)
    if (x[i] > most) {
      most = x[i];
      at = i;
    }
  for (int lane = 16; lane > 0; lane /= 2) {
    const float other = __shfl_xor_sync(0xffffffffu, most, lane);
    const int other_at = __shfl_xor_sync(0xffffffffu, at, lane);
    if (other > most) {
      most = other;
      at = other_at;
    }
  }
  if (threadIdx.x % 32 == 0)
    atomicMax(best,
              static_cast<unsigned long long>(__float_as_uint(most + 2)) << 32 | static_cast<unsigned>(at));
}

KERNEL bilinear_resize(const float *__restrict__ x, float *__restrict__ y, int from, int to) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column >= to || row >= to) return;
  const float scale = static_cast<float>(from - 1) / to, u = column * scale, v = row * scale;
  const int i = static_cast<int>(u), j = static_cast<int>(v);
  const float a = u - i, b = v - j;
  const float *at = x + j * from + i;
  y[row * to + column] =
      (1 - b) * ((1 - a) * at[0] + a * at[1]) + b * ((1 - a) * at[from] + a * at[from + 1]);
}
KERNEL rgb_to_gray(const unsigned char *__restrict__ rgb, unsigned char *__restrict__ gray, int n) {
  const int i = global_index();
  if (i < n)
    gray[i] =
        static_cast<unsigned char>(0.299f * rgb[3 * i] + 0.587f * rgb[3 * i + 1] + 0.114f * rgb[3 * i + 2]);
}
KERNEL axpy_stride(const float *__restrict__ x, float *__restrict__ y, float a, int n, int stride) {
  const int i = global_index();
  if (i < n) y[i * stride] += a * x[i * stride];
}

/// 1024 keys a block of 512 threads.
KERNEL bitonic_sort(const unsigned *__restrict__ x, unsigned *__restrict__ y) {
  __shared__ unsigned keys[1024];
  const int base = blockIdx.x * 1024;
  keys[threadIdx.x] = x[base + threadIdx.x];
  keys[threadIdx.x + 512] = x[base + threadIdx.x + 512];
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int i = 2 * step * (threadIdx.x / step) + threadIdx.x % step;
      const bool up = (i & size) == 0;
      const unsigned a = keys[i], b = keys[i + step];
      if ((a > b) == up) {
        keys[i] = b;
        keys[i + step] = a;
      }
    }
  __syncthreads();
  y[base + threadIdx.x] = keys[threadIdx.x];
  y[base + threadIdx.x + 512] = keys[threadIdx.x + 512];
}

/// Tensor cores: 64 x 64 of C a block of 4 warps, each 32 x 32; A row-major, B column-major.
KERNEL mma_gemm(const __half *__restrict__ a, const __half *__restrict__ b, float *__restrict__ c, int n) {
  using namespace nvcuda;
  __shared__ __align__(16) __half as[64][40], bs[64][40];
  const int warp = threadIdx.x / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (auto &line : sum)
    for (auto &one : line) wmma::fill_fragment(one, 0.0f);
  for (int first = 0; first < n; first += 32) {
    for (int at = threadIdx.x; at < 256; at += 128) {
      const int line = at / 4, part = at % 4 * 8;
      *reinterpret_cast<uint4 *>(&as[line][part]) =
          *reinterpret_cast<const uint4 *>(a + (row + line) * n + first + part);
      *reinterpret_cast<uint4 *>(&bs[line][part]) =
          *reinterpret_cast<const uint4 *>(b + (column + line) * n + first + part);
    }
    __syncthreads();
    for (int k = 0; k < 32; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> y[2];
      for (int i = 0; i < 2; ++i) {
        wmma::load_matrix_sync(x[i], &as[warp / 2 * 32 + i * 16][k], 40);
        wmma::load_matrix_sync(y[i], &bs[warp % 2 * 32 + i * 16][k], 40);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) wmma::mma_sync(sum[i][j], x[i], y[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(c + (row + warp / 2 * 32 + i * 16) * n + column + warp % 2 * 32 + j * 16,
                              sum[i][j], n, wmma::mem_row_major);
}

/// A bag of `count` rows of 128 floats summed by a warp.
KERNEL embedding_bag(const float4 *__restrict__ table, const int *__restrict__ index,
                     float4 *__restrict__ out, int bags, int count) {
  const int bag = global_index() / 32, lane = threadIdx.x % 32;
  if (bag >= bags) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < count; ++k) {
    const float4 v = table[static_cast<long long>(index[bag * count + k]) * 32 + lane];
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  out[bag * 32 + lane] = sum;
}
/// Ten rounds of multiply and exclusive-or an element: a counter-based generator.
KERNEL dropout(const float *__restrict__ x, float *__restrict__ y, unsigned seed, int n) {
  const int i = global_index();
  if (i >= n) return;
  unsigned low = i, high = seed, key = 0x9e3779b9u;
  for (int round = 0; round < 10; ++round) {
    const unsigned product_high = __umulhi(low, 0xd2511f53u), product = low * 0xd2511f53u;
    low = product_high ^ high ^ key;
    high = product;
    key += 0xbb67ae85u;
  }
  y[i] = low > 0x80000000u ? x[i] * 2.0f : 0.0f;
}
KERNEL polynomial_double(const double *__restrict__ x, double *__restrict__ y, int n) {
  const int i = global_index();
  if (i >= n) return;
  const double v = x[i];
  double sum = 1;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum = sum * v + 0.5;
  y[i] = sum;
}
KERNEL relu_bytes(const signed char *__restrict__ x, signed char *__restrict__ y, int n) {
  const int i = global_index();
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}

/// Keeps what is above a threshold; one atomic a warp.
KERNEL compact(const float *__restrict__ x, float *__restrict__ y, int *count, int n) {
  const int i = global_index(), lane = threadIdx.x % 32;
  const float value = i < n ? x[i] : 0;
  const unsigned votes = __ballot_sync(0xffffffffu, value > 0.5f);
  int base = 0;
  if (lane == 0 && votes) base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (value > 0.5f) y[base + __popc(votes & ((1u << lane) - 1))] = value;
}

KERNEL monte_carlo(int *hits, int rounds) {
  unsigned state = global_index() * 747796405u + 2891336453u;
  int inside = 0;
  for (int i = 0; i < rounds; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float x = (state & 0xffff) * (1.0f / 65536), y = (state >> 16) * (1.0f / 65536);
    inside += x * x + y * y < 1.0f;
  }
  inside = __reduce_add_sync(0xffffffffu, inside);
  if (threadIdx.x % 32 == 0) atomicAdd(hits, inside);
}
KERNEL max_pool(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const float2 a = *reinterpret_cast<const float2 *>(x + 2 * row * n + 2 * column);
  const float2 b = *reinterpret_cast<const float2 *>(x + (2 * row + 1) * n + 2 * column);
  y[row * (n / 2) + column] = fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y));
}

/// A thread a column, down all rows: coalesced, long, few threads.
KERNEL column_means(const float *__restrict__ x, float *__restrict__ means, int rows, int columns) {
  const int column = global_index();
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += x[row * columns + column];
  means[column] = sum / rows;
}

#define ENTRY(kernel) {#kernel, reinterpret_cast<const void *>(kernel)}
namespace cupilot::reference {
std::map<std::string, const void *> fresh_kernels() {
  return {ENTRY(batched_gemm32),  ENTRY(conv1d),         ENTRY(conv2d_direct),    ENTRY(conv2d_tiled),
          ENTRY(layer_norm),      ENTRY(softmax_warp),   ENTRY(scan_block),       ENTRY(warp_prefix),
          ENTRY(stencil3d),       ENTRY(gather),         ENTRY(scatter),          ENTRY(spmv_thread),
          ENTRY(spmv_warp),       ENTRY(bit_count),      ENTRY(half2_axpy),       ENTRY(bf16_reduce),
          ENTRY(int8_matvec),     ENTRY(transpose_half), ENTRY(matvec_columns),   ENTRY(matvec_block),
          ENTRY(black_scholes),   ENTRY(mandelbrot),     ENTRY(bigram_histogram), ENTRY(argmax),
          ENTRY(bilinear_resize), ENTRY(rgb_to_gray),    ENTRY(axpy_stride),      ENTRY(bitonic_sort),
          ENTRY(mma_gemm),        ENTRY(embedding_bag),  ENTRY(dropout),          ENTRY(polynomial_double),
          ENTRY(relu_bytes),      ENTRY(compact),        ENTRY(monte_carlo),      ENTRY(max_pool),
          ENTRY(column_means)};
}
}  // namespace cupilot::reference
