// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
#include <cuda_runtime.h>
#include <cstdint>
#include <math.h>

#define FULL_MASK 0xffffffff

__device__ float warp_sum(float v)
{
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_down_sync(FULL_MASK, v, o);
    return v;
}

// Mean squared error over everything, atomicAdd of the scaled block results.
#pragma cupilot optimize
#pragma cupilot workload(big) set(n = 1 << 25) in(pred[n], target[n]) inout(loss[1]) launch(1024, 256) fill(loss = zeros)
#pragma cupilot workload(prime) set(n = 100003) in(pred[n], target[n]) inout(loss[1]) launch(32, 256) fill(loss = zeros) check
__global__ void mse_loss_atomic(const float *pred, const float *target, float *loss, int64_t n)
{
    __shared__ float ws[32];
    float s = 0.f;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) {
        const float d = pred[i] - target[i];
        s += d * d;
    }
    s = warp_sum(s);
    if ((threadIdx.x & 31) == 0) ws[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < (blockDim.x >> 5) ? ws[threadIdx.x] : 0.f;
        s = warp_sum(s);
        if (threadIdx.x == 0) atomicAdd(loss, s / n);
    }
}

// Cross entropy per sample (reduction='none'). Block per sample, max pass and then exp-sum pass.
#pragma cupilot optimize
#pragma cupilot workload(vocab) set(N = 4096, C = 10000) in(logits[N * C], target[N]) out(loss[N]) launch(N, 256) fill(target = randint(0, C - 1))
#pragma cupilot workload(ten) set(N = 37, C = 10) in(logits[N * C], target[N]) out(loss[N]) launch(N, 256) fill(target = randint(0, C - 1)) check
template <int BS>
__global__ void cross_entropy_rows(const float* logits, const int64_t* target, float* loss, int N, int C)
{
    __shared__ float red[BS];
    const int n = blockIdx.x;
    const int tid = threadIdx.x;
    const float* row = logits + (size_t)n * C;

    float m = -INFINITY;
    for (int c = tid; c < C; c += BS) m = fmaxf(m, row[c]);
    red[tid] = m;
    __syncthreads();
#pragma unroll
    for (int s = BS / 2; s >= 1; s /= 2) {
        if (tid < s) red[tid] = fmaxf(red[tid], red[tid + s]);
        __syncthreads();
    }
    m = red[0];
    __syncthreads();

    float e = 0.0f;
    for (int c = tid; c < C; c += BS) e += expf(row[c] - m);
    red[tid] = e;
    __syncthreads();
#pragma unroll
    for (int s = BS / 2; s >= 1; s /= 2) {
        if (tid < s) red[tid] += red[tid + s];
        __syncthreads();
    }

    if (tid == 0)
        loss[n] = logf(red[0]) + m - row[target[n]];
}
template __global__ void cross_entropy_rows<256>(const float*, const int64_t*, float*, int, int);

// Smooth L1 (Huber with threshold beta), stage 1 of 2: one partial sum per block, float4 loads.
__device__ __forceinline__ float huber_term(float a, float b, float beta)
{
    float d = fabsf(a - b);
    return d < beta ? 0.5f * d * d / beta : d - 0.5f * beta;
}

#pragma cupilot optimize
#pragma cupilot workload(st1) set(n = 1 << 24, beta = 1.0) in(a[n], b[n]) out(partial[1024]) launch(1024, 256, 256 * 4)
#pragma cupilot workload(st1_tail) set(n = 10007, beta = 0.5) in(a[n], b[n]) out(partial[8]) launch(8, 128, 128 * 4) check
__global__ void smooth_l1_stage1(const float *a, const float *b, float *partial, float beta, int n)
{
    extern __shared__ float sh[];
    const int tid = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + tid;
    const int stride = gridDim.x * blockDim.x;
    const int nvec = n / 4;
    const float4 *a4 = (const float4 *)a;
    const float4 *b4 = (const float4 *)b;

    float s = 0.0f;
    for (int i = gid; i < nvec; i += stride) {
        const float4 u = a4[i];
        const float4 v = b4[i];
        s += huber_term(u.x, v.x, beta);
        s += huber_term(u.y, v.y, beta);
        s += huber_term(u.z, v.z, beta);
        s += huber_term(u.w, v.w, beta);
    }
    // tail
    for (int i = nvec * 4 + gid; i < n; i += stride)
        s += huber_term(a[i], b[i], beta);

    sh[tid] = s;
    __syncthreads();
    for (int k = blockDim.x >> 1; k > 0; k >>= 1) {
        if (tid < k) sh[tid] = sh[tid] + sh[tid + k];
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = sh[0];
}

// Stage 2: one block folds the partial sums and applies the scale.
#pragma cupilot optimize
#pragma cupilot workload(st2) set(count = 1024, n = 1 << 24) in(partial[count]) out(result[1]) launch(1, 512)
#pragma cupilot workload(st2_odd) set(count = 777, n = 12345) in(partial[count]) out(result[1]) launch(1, 512) check
__global__ void finish_mean(const float *partial, float *result, int count, int n)
{
    __shared__ float warp_part[16];
    float s = 0.0f;
    int i = threadIdx.x;
    while (i < count) {
        s += partial[i];
        i += 512;
    }
    s = warp_sum(s);
    if (threadIdx.x % 32 == 0) warp_part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0.0f;
#pragma unroll
        for (int w = 0; w < 16; ++w) t += warp_part[w];
        result[0] = t / (float)n;
    }
}

// KL divergence, batchmean: sum(q * (log q - logp)) / rows. A warp per row.
#pragma cupilot optimize
#pragma cupilot workload(kl) set(rows = 8192, cols = 4096) in(logp[rows * cols], q[rows * cols]) inout(out[1]) launch(rows / 8, 256) fill(out = zeros)
#pragma cupilot workload(kl_s) set(rows = 21, cols = 50) in(logp[rows * cols], q[rows * cols]) inout(out[1]) launch((rows + 7) / 8, 256) fill(out = zeros) check
__global__ void kl_div_batchmean(const float *logp, const float *q, float *out, int rows, int cols)
{
    int warp = threadIdx.x / 32 + blockIdx.x * (blockDim.x / 32);
    int lane = threadIdx.x % 32;
    if (warp < rows) {
        const float *lp = logp + (size_t)warp * cols;
        const float *qq = q + (size_t)warp * cols;
        float acc = 0.0f;
        for (int j = lane; j < cols; j += 32) {
            float t = qq[j];
            acc += t > 0.0f ? t * (logf(t) - lp[j]) : 0.0f;
        }
        acc = warp_sum(acc);
        if (lane == 0)
            atomicAdd(out, acc / rows);
    }
}
//= mse_loss_atomic: lifted
//= cross_entropy_rows.256: lifted
//= smooth_l1_stage1: each thread or block has a part of 's', and no atomic operation puts the parts together
//= finish_mean: lifted
//= kl_div_batchmean: lifted
