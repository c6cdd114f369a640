// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// reductions over one dimension
#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cfloat>
#include <cstdint>

// torch.sum(x, dim=1) for x of shape (B, R, C): one thread walks the reduced dim.
#pragma cupilot optimize
#pragma cupilot workload(big) set(B = 128, R = 1024, C = 512) in(x[B * R * C]) out(y[B * C]) launch((B * C + 127) / 128, 128)
#pragma cupilot workload(small) set(B = 3, R = 77, C = 45) in(x[B * R * C]) out(y[B * C]) launch((B * C + 127) / 128, 128) check
__global__ void sum_dim1(const float *x, float *y, int B, int R, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * C) {
    int b = i / C;
    int c = i - b * C;
    const float *p = x + (size_t)b * R * C + c;
    float s = 0;
    for (int r = 0; r < R; r++) {
      s += *p;
      p += C;
    }
    y[i] = s;
  }
}

// Mean of each row. cols4 = cols / 4, rows must be 16-byte aligned.
#pragma cupilot optimize
#pragma cupilot workload(wide) set(rows = 4096, cols4 = 2048) in(in[rows * cols4 * 4]) out(out[rows]) launch(rows, 256, 256 * 4)
#pragma cupilot workload(narrow) set(rows = 9, cols4 = 53) in(in[rows * cols4 * 4]) out(out[rows]) launch(rows, 128, 128 * 4) check
__global__ void row_mean_vec4(const float* __restrict__ in, float* __restrict__ out, int rows, int cols4)
{
    extern __shared__ float sdata[];
    const unsigned int tid = threadIdx.x;
    const int row = blockIdx.x;

    const float4* v = reinterpret_cast<const float4*>(in) + (size_t)row * cols4;
    float acc = 0.0f;
    for (int i = tid; i < cols4; i += blockDim.x) {
        float4 q = v[i];
        acc += (q.x + q.y) + (q.z + q.w);
    }
    sdata[tid] = acc;
    __syncthreads();

    // classic shared-memory tree
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0 && row < rows) out[row] = sdata[0] / (4.0f * cols4);
}

// argmax over the last dimension, one warp per row, lowest index wins ties
#pragma cupilot optimize
#pragma cupilot workload(w1) set(nrows = 65536, ncols = 1000) in(logits[nrows * ncols]) out(winner[nrows]) launch((nrows + 3) / 4, 128)
#pragma cupilot workload(w2) set(nrows = 13, ncols = 21) in(logits[nrows * ncols]) out(winner[nrows]) launch((nrows + 3) / 4, 128) check
__global__ void argmax_warp(const float *logits, int *winner, int nrows, int ncols)
{
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= nrows) return;

    const float *r = logits + (int64_t)row * ncols;
    float bestVal = -FLT_MAX;
    int bestIdx = 0x7fffffff;
    for (int c = lane; c < ncols; c += 32) {
        float v = r[c];
        if (v > bestVal) { bestVal = v; bestIdx = c; }
    }
    for (int off = 16; off; off >>= 1) {
        float ov = __shfl_down_sync(0xffffffffu, bestVal, off);
        int   oi = __shfl_down_sync(0xffffffffu, bestIdx, off);
        if (ov > bestVal || (ov == bestVal && oi < bestIdx)) {
            bestVal = ov;
            bestIdx = oi;
        }
    }
    if (lane == 0) winner[row] = bestIdx;
}

// torch.min over dim 1 of a bf16 tensor [batch][m][n]; 32 columns x 8 row lanes per block.
#define TX 32
#define TY 8

#pragma cupilot optimize
#pragma cupilot workload(a) set(batch = 64, m = 2048, n = 512) in(x[batch * m * n]) out(y[batch * n]) launch(dim3((n + 31) / 32, batch), dim3(32, 8))
#pragma cupilot workload(b) set(batch = 2, m = 19, n = 70) in(x[batch * m * n]) out(y[batch * n]) launch(dim3((n + 31) / 32, batch), dim3(32, 8)) check
__global__ void min_dim1_bf16(const __nv_bfloat16 *x, __nv_bfloat16 *y, int batch, int m, int n)
{
    __shared__ float part[TY][TX + 1];
    int col = blockIdx.x * TX + threadIdx.x;
    int b = blockIdx.y;

    float best = FLT_MAX;
    if (b < batch && col < n) {
        for (int r = threadIdx.y; r < m; r += TY)
            best = fminf(best, __bfloat162float(x[((size_t)b * m + r) * n + col]));
    }
    part[threadIdx.y][threadIdx.x] = best;
    __syncthreads();

    if (threadIdx.y == 0 && b < batch && col < n) {
        for (int k = 1; k < TY; ++k)
            best = fminf(best, part[k][threadIdx.x]);
        y[(size_t)b * n + col] = __float2bfloat16(best);
    }
}

// product over the last dimension
template <typename T>
__device__ __forceinline__ T warpProd(T v)
{
#pragma unroll
    for (int d = 16; d > 0; d /= 2)
        v *= __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

#pragma cupilot optimize
#pragma cupilot workload(p0) set(rows = 16384, len = 512) in(x[rows * len]) out(y[rows]) launch(rows, 128)
#pragma cupilot workload(p1) set(rows = 5, len = 33) in(x[rows * len]) out(y[rows]) launch(rows, 128) check
template <typename T, int BLOCK>
__global__ void prod_lastdim(const T *x, T *y, size_t rows, size_t len)
{
    __shared__ T warpRes[BLOCK / 32];
    size_t row = blockIdx.x;
    if (row >= rows) return;

    T p = (T)1;
    for (size_t j = threadIdx.x; j < len; j += BLOCK)
        p *= x[row * len + j];

    p = warpProd(p);
    if (threadIdx.x % 32 == 0)
        warpRes[threadIdx.x / 32] = p;
    __syncthreads();

    if (threadIdx.x < 32) {
        p = threadIdx.x < BLOCK / 32 ? warpRes[threadIdx.x] : (T)1;
        p = warpProd(p);
        if (threadIdx.x == 0) y[row] = p;
    }
}
template __global__ void prod_lastdim<double, 128>(const double *, double *, size_t, size_t);
//= sum_dim1: lifted
//= row_mean_vec4: lifted
//= argmax_warp: lifted
//= min_dim1_bf16: lifted
//= prod_lastdim.double.128: lifted
