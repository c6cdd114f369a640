// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Tall-skinny product, matrix-vector, and a few activations
#include <cuda_runtime.h>
#include <stdint.h>

#define KDIM 32
#define ROWS_PER_BLOCK 16

// [M,32] x [32,N]. A thread keeps a column of B in registers; rows of A are shared by the block.
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 16384, N = 4096) in(A[M * 32], B[32 * N]) out(C[M * N]) launch(dim3((N + 127) / 128, (M + 15) / 16), 128)
#pragma cupilot workload(ragged) set(M = 53, N = 200) in(A[M * 32], B[32 * N]) out(C[M * N]) launch(dim3((N + 127) / 128, (M + 15) / 16), 128) check
__global__ void tall_skinny_k32(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                                int M, int N)
{
    __shared__ float rows[ROWS_PER_BLOCK][KDIM];
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row0 = blockIdx.y * ROWS_PER_BLOCK;

    for (int e = threadIdx.x; e < ROWS_PER_BLOCK * KDIM; e += blockDim.x) {
        int r = e / KDIM;
        int k = e % KDIM;
        rows[r][k] = row0 + r < M ? A[(row0 + r) * KDIM + k] : 0.0f;
    }
    __syncthreads();

    if (col >= N)
        return;

    float bcol[KDIM];
#pragma unroll
    for (int k = 0; k < KDIM; k++)
        bcol[k] = B[k * N + col];

    const int nrows = min(ROWS_PER_BLOCK, M - row0);
    for (int r = 0; r < nrows; r++) {
        float acc = 0.0f;
#pragma unroll
        for (int k = 0; k < KDIM; k++)
            acc += rows[r][k] * bcol[k];
        C[(size_t)(row0 + r) * N + col] = acc;
    }
}

// y = A x, one warp for each row, K a multiple of 4
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 2048, K = 65536) in(A[M * K], x[K]) out(y[M]) launch((M * 32 + 127) / 128, 128)
#pragma cupilot workload(small) set(M = 37, K = 500) in(A[M * K], x[K]) out(y[M]) launch((M * 32 + 127) / 128, 128) check
__global__ void gemv_warp(const float *A, const float *x, float *y, int M, int64_t K)
{
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    int row = gtid / 32;
    int lane = gtid % 32;
    if (row >= M) return;

    const float4 *a4 = (const float4 *)(A + row * K);
    const float4 *x4 = (const float4 *)x;
    float sum = 0.0f;
    int64_t i = lane;
    while (i < K / 4) {
        float4 av = a4[i], xv = x4[i];
        sum += av.x * xv.x;
        sum += av.y * xv.y;
        sum += av.z * xv.z;
        sum += av.w * xv.w;
        i += 32;
    }
    sum += __shfl_down_sync(0xffffffff, sum, 16);
    sum += __shfl_down_sync(0xffffffff, sum, 8);
    sum += __shfl_down_sync(0xffffffff, sum, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 2);
    sum += __shfl_down_sync(0xffffffff, sum, 1);
    if (lane == 0)
        y[row] = sum;
}

static __device__ float selu_scalar(float v)
{
    const float alpha = 1.6732632423543772f;
    const float lambda = 1.0507009873554805f;
    return lambda * (v > 0 ? v : alpha * expm1f(v));
}

// in place
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24) inout(x[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 6007) inout(x[n]) launch((n + 255) / 256, 256) check
__global__ void selu_inplace(float *x, int64_t n)
{
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = selu_scalar(x[i]);
}

// every thread takes ITEMS elements, blockDim.x apart
#define ITEMS 4
#pragma cupilot optimize
#pragma cupilot workload(large) set(alpha = 1.0, n = 1 << 24) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256)
#pragma cupilot workload(small) set(alpha = 0.5, n = 7001) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256) check
__global__ void elu_ilp(float *__restrict__ y, const float *__restrict__ x, float alpha, int n)
{
    int base = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
    float r[ITEMS];

#pragma unroll
    for (int t = 0; t < ITEMS; t++) {
        int i = base + t * blockDim.x;
        r[t] = i < n ? x[i] : 0.f;
    }
#pragma unroll
    for (int t = 0; t < ITEMS; t++)
        r[t] = r[t] > 0.f ? r[t] : alpha * (expf(r[t]) - 1.f);
#pragma unroll
    for (int t = 0; t < ITEMS; t++) {
        int i = base + t * blockDim.x;
        if (i < n)
            y[i] = r[t];
    }
}

#define GLOBAL_ID ((size_t)blockIdx.y * gridDim.x * blockDim.x + (size_t)blockIdx.x * blockDim.x + threadIdx.x)

// flat array on a 2-D grid
#pragma cupilot optimize
#pragma cupilot workload(large) set(count = 1 << 24) in(src[count]) out(dst[count]) launch(dim3(256, (count + 65535) / 65536), 256)
#pragma cupilot workload(small) set(count = 70001) in(src[count]) out(dst[count]) launch(dim3(256, (count + 65535) / 65536), 256) check
__global__ void softsign(const float *src, float *dst, size_t count)
{
    size_t g = GLOBAL_ID;
    if (g < count) {
        const float s = src[g];
        dst[g] = __fdividef(s, 1.0f + fabsf(s));
    }
}
//= tall_skinny_k32: lifted
//= gemv_warp: lifted
//= selu_inplace: lifted
//= elu_ilp: lifted
//= softsign: lifted
