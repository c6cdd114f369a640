// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Vectorised and reduced precision kernels
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define FLOAT4(p) (reinterpret_cast<float4 *>(&(p))[0])
#define CFLOAT4(p) (reinterpret_cast<const float4 *>(&(p))[0])

__device__ inline float sigmoidf_(float v) { return 1.0f / (1.0f + __expf(-v)); }

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24) in(x[n]) out(y[n]) launch((n / 4 + 255) / 256, 256)
#pragma cupilot workload(tail) set(n = 10003) in(x[n]) out(y[n]) launch(((n + 3) / 4 + 255) / 256, 256) check
__global__ void sigmoid_vec4(const float *x, float *y, int n)
{
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < n) {
        float4 in = CFLOAT4(x[i]);
        float4 r;
        r.x = sigmoidf_(in.x);
        r.y = sigmoidf_(in.y);
        r.z = sigmoidf_(in.z);
        r.w = sigmoidf_(in.w);
        FLOAT4(y[i]) = r;
    } else {
        for (; i < n; i++)
            y[i] = sigmoidf_(x[i]);
    }
}

// n2 is the number of half2 pairs
#pragma cupilot optimize
#pragma cupilot workload(large) set(n2 = 1 << 23) in(x[n2]) out(y[n2]) launch((n2 + 511) / 512, 512)
#pragma cupilot workload(small) set(n2 = 4099) in(x[n2]) out(y[n2]) launch((n2 + 511) / 512, 512) check
__global__ void tanh_half2(const half2 *__restrict__ x, half2 *__restrict__ y, int n2)
{
    int idx = threadIdx.x + blockDim.x * blockIdx.x;
    if (idx < n2) {
        float2 f = __half22float2(x[idx]);
        f.x = tanhf(f.x);
        f.y = tanhf(f.y);
        y[idx] = __floats2half2_rn(f.x, f.y);
    }
}

// all arithmetic in half precision: clamp(x / 6 + 0.5, 0, 1)
#pragma cupilot optimize
#pragma cupilot workload(large) set(size = 1 << 24) in(x[size]) out(y[size]) launch((size + 255) / 256, 256)
#pragma cupilot workload(small) set(size = 5555) in(x[size]) out(y[size]) launch((size + 255) / 256, 256) check
__global__ void hardsigmoid_fp16(const __half *x, __half *y, unsigned size)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (gid >= size) return;

    const __half zero = __float2half(0.0f);
    const __half one = __float2half(1.0f);
    __half t = __hfma(x[gid], __float2half(1.0f / 6.0f), __float2half(0.5f));
    if (__hlt(t, zero)) t = zero;
    if (__hgt(t, one)) t = one;
    y[gid] = t;
}

// half in, half out, float accumulation; every thread makes two rows of C
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 2048, N = 2048, K = 2048) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 16))
#pragma cupilot workload(ragged) set(M = 70, N = 45, K = 50) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 16)) check
__global__ void hgemm_tile32(const half *A, const half *B, half *C, int M, int N, int K)
{
    __shared__ half sA[32][32 + 2];
    __shared__ half sB[32][32 + 2];

    int tx = threadIdx.x;           // 0..31
    int ty = threadIdx.y;           // 0..15
    int row0 = blockIdx.y * 32 + ty;
    int row1 = row0 + 16;
    int col = blockIdx.x * 32 + tx;
    const half hzero = __float2half(0.f);

    float c0 = 0.f, c1 = 0.f;
    for (int kt = 0; kt < K; kt += 32) {
        int ka = kt + tx;
        sA[ty][tx]      = (row0 < M && ka < K) ? A[row0 * K + ka] : hzero;
        sA[ty + 16][tx] = (row1 < M && ka < K) ? A[row1 * K + ka] : hzero;
        int kb0 = kt + ty, kb1 = kt + ty + 16;
        sB[ty][tx]      = (kb0 < K && col < N) ? B[kb0 * N + col] : hzero;
        sB[ty + 16][tx] = (kb1 < K && col < N) ? B[kb1 * N + col] : hzero;
        __syncthreads();

        #pragma unroll 8
        for (int k = 0; k < 32; ++k) {
            float b = __half2float(sB[k][tx]);
            c0 += __half2float(sA[ty][k]) * b;
            c1 += __half2float(sA[ty + 16][k]) * b;
        }
        __syncthreads();
    }

    if (col < N) {
        if (row0 < M) C[row0 * N + col] = __float2half(c0);
        if (row1 < M) C[row1 * N + col] = __float2half(c1);
    }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24, beta = 1.0, threshold = 20.0) in(inp[n]) out(outp[n]) launch(1320, 256)
#pragma cupilot workload(small) set(n = 8191, beta = 2.0, threshold = 1.5) in(inp[n]) out(outp[n]) launch(8, 256) check
__global__ void softplus_bf16(const __nv_bfloat16 *inp, __nv_bfloat16 *outp, long long n, float beta, float threshold)
{
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    while (i < n) {
        float v = __bfloat162float(inp[i]);
        float bv = v * beta;
        float r = (bv > threshold) ? v : log1pf(expf(bv)) / beta;
        outp[i] = __float2bfloat16(r);
        i += (long long)blockDim.x * gridDim.x;
    }
}
//= sigmoid_vec4: lifted
//= tanh_half2: lifted
//= hardsigmoid_fp16: lifted
//= hgemm_tile32: which thread fills which element of 'sA' is not known
//= softplus_bf16: lifted
