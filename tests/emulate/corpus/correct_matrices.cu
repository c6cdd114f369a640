// SPDX-License-Identifier: Apache-2.0
// Transposes, products and tensor cores.

#include <cuda_fp16.h>
#include <mma.h>

// run: transpose_naive<<<4x3, 16x16>>>(f32[2880] random, f32[2880], i32 60, i32 48) = transpose
extern "C" __global__ void transpose_naive(const float *x, float *y, int width, int height) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (column < width && row < height) y[column * height + row] = x[row * width + column];
}

// run: transpose_tile<<<4x3, 16x16>>>(f32[2880] random, f32[2880], i32 60, i32 48) = transpose
extern "C" __global__ void transpose_tile(const float *x, float *y, int width, int height) {
  __shared__ float tile[16][16];
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (column < width && row < height) tile[threadIdx.y][threadIdx.x] = x[row * width + column];
  __syncthreads();
  int to_row = blockIdx.x * 16 + threadIdx.y, to_column = blockIdx.y * 16 + threadIdx.x;
  if (to_row < width && to_column < height) y[to_row * height + to_column] = tile[threadIdx.x][threadIdx.y];
}

// run: transpose_padded_strips<<<2x2, 32x8>>>(f32[4096] random, f32[4096], i32 64, i32 64) = transpose
extern "C" __global__ void transpose_padded_strips(const float *x, float *y, int width, int height) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * width + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) y[(row + k) * height + column] = tile[threadIdx.x][threadIdx.y + k];
}

// run: transpose_swizzled<<<2x2, 32x8>>>(f32[4096] random, f32[4096], i32 64, i32 64) = transpose
extern "C" __global__ void transpose_swizzled(const float *x, float *y, int width, int height) {
  __shared__ float tile[1024];
  for (int k = threadIdx.y; k < 32; k += 8)
    tile[k * 32 + (threadIdx.x ^ k)] = x[(blockIdx.y * 32 + k) * width + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (int k = threadIdx.y; k < 32; k += 8)
    y[(blockIdx.x * 32 + k) * height + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x * 32 + (k ^ threadIdx.x)];
}

// run: transpose_in_place<<<2x2, 16x16>>>(f32[1024] random, i32 32) = transpose_square
extern "C" __global__ void transpose_in_place(float *x, int n) {
  __shared__ float mine[16][17], theirs[16][17];
  if (blockIdx.y < blockIdx.x) return;
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  int oc = blockIdx.y * 16 + threadIdx.x, orow = blockIdx.x * 16 + threadIdx.y;
  mine[threadIdx.y][threadIdx.x] = x[r * n + c];
  theirs[threadIdx.y][threadIdx.x] = x[orow * n + oc];
  __syncthreads();
  x[r * n + c] = theirs[threadIdx.x][threadIdx.y];
  if (blockIdx.y != blockIdx.x) x[orow * n + oc] = mine[threadIdx.x][threadIdx.y];
}

// run: transpose_by_shuffles<<<1, 32>>>(f32[1024] random, f32[1024], i32 32, i32 32) = transpose
extern "C" __global__ void transpose_by_shuffles(const float *x, float *y, int, int) {
  float v[32];
  int lane = threadIdx.x;
#pragma unroll
  for (int k = 0; k < 32; ++k) v[k] = x[k * 32 + lane];
#pragma unroll
  for (int bit = 1; bit < 32; bit *= 2) {
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      if ((k & bit) != 0) continue;
      float send = (lane & bit) ? v[k] : v[k | bit];
      float got = __shfl_xor_sync(0xffffffffu, send, bit);
      if (lane & bit) v[k] = got;
      else v[k | bit] = got;
    }
  }
#pragma unroll
  for (int k = 0; k < 32; ++k) y[k * 32 + lane] = v[k];
}

// run: multiply_naive<<<3x3, 16x16>>>(f32[2000] random, f32[2000] random, f32[1600], i32 40, i32 40, i32 50)
//      = multiply
extern "C" __global__ void multiply_naive(const float *a, const float *b, float *c, int m, int n, int k) {
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  c[row * n + column] = sum;
}

// run: multiply_tiled<<<3x3, 16x16>>>(f32[2000] random, f32[2000] random, f32[1600], i32 40, i32 40, i32 50)
//      = multiply
extern "C" __global__ void multiply_tiled(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16], bs[16][17];
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int base = 0; base < k; base += 16) {
    as[threadIdx.y][threadIdx.x] = row < m && base + threadIdx.x < k ? a[row * k + base + threadIdx.x] : 0;
    bs[threadIdx.y][threadIdx.x] = column < n && base + threadIdx.y < k ? b[(base + threadIdx.y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// run: multiply_registers<<<1x1, 8x8>>>(f32[1024] random, f32[1024] random, f32[1024], i32 32, i32 32, i32 32) = multiply
extern "C" __global__ void multiply_registers(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[32][8], bs[8][32];
  float acc[4][4] = {};
  int t = threadIdx.y * 8 + threadIdx.x;
  for (int base = 0; base < k; base += 8) {
    for (int i = t; i < 256; i += 64) {
      as[i / 8][i % 8] = a[(i / 8) * k + base + i % 8];
      bs[i / 32][i % 32] = b[(base + i / 32) * n + i % 32];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int s = 0; s < 4; ++s) acc[r][s] += as[threadIdx.y * 4 + r][i] * bs[i][threadIdx.x * 4 + s];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    for (int s = 0; s < 4; ++s) c[(threadIdx.y * 4 + r) * n + threadIdx.x * 4 + s] = acc[r][s];
}

// run: multiply_wide<<<1, 64>>>(f32[1024] random, f32[1024] random, f32[1024], i32 32, i32 32, i32 32) = multiply
extern "C" __global__ void multiply_wide(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = threadIdx.x / 2, half = threadIdx.x % 2 * 16;
  float4 acc[4] = {};
  for (int i = 0; i < k; ++i) {
    float v = a[row * k + i];
    for (int q = 0; q < 4; ++q) {
      float4 w = *reinterpret_cast<const float4 *>(&b[i * n + half + 4 * q]);
      acc[q].x += v * w.x, acc[q].y += v * w.y, acc[q].z += v * w.z, acc[q].w += v * w.w;
    }
  }
  for (int q = 0; q < 4; ++q) *reinterpret_cast<float4 *>(&c[row * n + half + 4 * q]) = acc[q];
}

// run: multiply_two_buffers<<<2x2, 16x16>>>(f32[2048] random, f32[2048] random, f32[1024], i32 32, i32 32, i32 64)
//      = multiply
extern "C" __global__ void multiply_two_buffers(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[2][16][16], bs[2][16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  as[0][ty][tx] = a[row * k + tx];
  bs[0][ty][tx] = b[ty * n + column];
  __syncthreads();
  float sum = 0;
  for (int base = 0, now = 0; base < k; base += 16, now ^= 1) {
    if (base + 16 < k) {
      as[now ^ 1][ty][tx] = a[row * k + base + 16 + tx];
      bs[now ^ 1][ty][tx] = b[(base + 16 + ty) * n + column];
    }
    for (int i = 0; i < 16; ++i) sum += as[now][ty][i] * bs[now][i][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// run: multiply_batched<<<2x1x3, 8x16>>>(f32[768] random, f32[768] random, f32[768], i32 16) = multiply_batch
extern "C" __global__ void multiply_batched(const float *a, const float *b, float *c, int n) {
  const float *am = a + blockIdx.z * n * n, *bm = b + blockIdx.z * n * n;
  int column = blockIdx.x * 8 + threadIdx.x, row = threadIdx.y;
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (double)am[row * n + i] * bm[i * n + column];
  c[blockIdx.z * n * n + row * n + column] = (float)sum;
}

// run: vector_by_threads<<<1, 64>>>(f32[1536] random, f32[24] random, f32[64], i32 24) = matrix_vector
extern "C" __global__ void vector_by_threads(const float *__restrict__ a, const float *__restrict__ x, float *y, int columns) {
  float sum = 0;
  for (int c = 0; c < columns; ++c) sum += a[threadIdx.x * columns + c] * __ldg(&x[c]);
  y[threadIdx.x] = sum;
}

// run: vector_by_warps<<<16, 32x4>>>(f32[1536] random, f32[24] random, f32[64], i32 24) = matrix_vector
extern "C" __global__ void vector_by_warps(const float *a, const float *x, float *y, int columns) {
  int row = blockIdx.x * 4 + threadIdx.y;
  float sum = threadIdx.x < columns ? a[row * columns + threadIdx.x] * x[threadIdx.x] : 0;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x == 0) y[row] = sum;
}

// run: outer_product<<<1x1, 24x16>>>(f32[16] random, f32[24] random, f32[384], i32 24) = outer
extern "C" __global__ void outer_product(const float *x, const float *y, float *a, int columns) {
  a[threadIdx.y * columns + threadIdx.x] = x[threadIdx.y] * y[threadIdx.x];
}

// run: half_vector<<<1, 32>>>(f16[512] random, f16[16] random, f32[32], i32 16) = matrix_vector
extern "C" __global__ void half_vector(const __half2 *a, const __half2 *x, float *y, int columns) {
  float sum = 0;
  for (int c = 0; c < columns / 2; ++c) {
    float2 v = __half22float2(a[threadIdx.x * (columns / 2) + c]), w = __half22float2(x[c]);
    sum = fmaf(v.x, w.x, fmaf(v.y, w.y, sum));
  }
  y[threadIdx.x] = sum;
}

// run: tensor_wmma<<<1, 32>>>(f16[256] random, f16[256] random, f32[256], i32 16) = multiply_square
extern "C" __global__ void tensor_wmma(const __half *a, const __half *b, float *c, int n) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, n);
  wmma::load_matrix_sync(fb, b, n);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, n, wmma::mem_row_major);
}

// run: tensor_wmma_tiles<<<4, 32>>>(f16[1024] random, f16[1024] random, f32[1024], i32 32) = multiply_square
extern "C" __global__ void tensor_wmma_tiles(const __half *a, const __half *b, float *c, int n) {
  using namespace nvcuda;
  __shared__ float out[256];
  int row = blockIdx.x / 2 * 16, column = blockIdx.x % 2 * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, a + row * n + k, n);
    wmma::load_matrix_sync(fb, b + k * n + column, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(out, fc, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32) c[(row + i / 16) * n + column + i % 16] = out[i];
}

// run: tensor_mma_16816<<<1, 32>>>(f16[256] random, f16[128] random, f32[128]) = mma_16816
extern "C" __global__ void tensor_mma_16816(const __half *a, const __half *b, float *c) {
  int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  unsigned fa[4], fb[2];
  const unsigned *aw = reinterpret_cast<const unsigned *>(a);
  fa[0] = aw[(group * 16 + quad * 2) / 2];
  fa[1] = aw[((group + 8) * 16 + quad * 2) / 2];
  fa[2] = aw[(group * 16 + quad * 2 + 8) / 2];
  fa[3] = aw[((group + 8) * 16 + quad * 2 + 8) / 2];
  for (int h = 0; h < 2; ++h) {
    __half2 pair = __halves2half2(b[(quad * 2 + h * 8) * 8 + group], b[(quad * 2 + h * 8 + 1) * 8 + group]);
    fb[h] = *reinterpret_cast<unsigned *>(&pair);
  }
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  c[group * 8 + quad * 2] = d[0];
  c[group * 8 + quad * 2 + 1] = d[1];
  c[(group + 8) * 8 + quad * 2] = d[2];
  c[(group + 8) * 8 + quad * 2 + 1] = d[3];
}

// run: tensor_ldmatrix<<<1, 32>>>(f16[256] random, f16[128] random, f32[128]) = mma_16816
extern "C" __global__ void tensor_ldmatrix(const __half *a, const __half *b, float *c) {
  __shared__ __align__(16) __half as[16 * 16], bs[16 * 8];
  for (int i = threadIdx.x; i < 256; i += 32) as[i] = a[i];
  for (int i = threadIdx.x; i < 128; i += 32) bs[i] = b[i];
  __syncwarp();
  int lane = threadIdx.x, group = lane / 4, quad = lane % 4;
  unsigned fa[4], fb[2];
  unsigned pa = (unsigned)__cvta_generic_to_shared(&as[(lane % 16) * 16 + lane / 16 * 8]);
  unsigned pb = (unsigned)__cvta_generic_to_shared(&bs[(lane % 16) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(pa) : "memory");
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(fb[0]), "=r"(fb[1]) : "r"(pb) : "memory");
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
  reinterpret_cast<float2 *>(c)[(group * 8 + quad * 2) / 2] = make_float2(d[0], d[1]);
  reinterpret_cast<float2 *>(c)[((group + 8) * 8 + quad * 2) / 2] = make_float2(d[2], d[3]);
}

// run: solve_lower<<<1, 32>>>(f32[1024] random, f32[32] random, f32[32]) = forward_solve ~1e-4
extern "C" __global__ void solve_lower(const float *a, const float *b, float *x) {
  int row = threadIdx.x;
  float rest = b[row];
  for (int k = 0; k < 32; ++k) {
    float xk = __shfl_sync(0xffffffffu, rest / (4.0f + a[k * 32 + k]), k);
    xk = __shfl_sync(0xffffffffu, row == k ? rest / (4.0f + a[k * 32 + k]) : xk, k);
    if (row == k) x[k] = xk;
    if (row > k) rest -= 0.25f * a[row * 32 + k] * xk;
  }
}
