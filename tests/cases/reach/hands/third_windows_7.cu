// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// More losses.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cmath>

// Sum over the block; result valid in all threads. blockDim.x multiple of 32.
template <typename T>
__device__ T block_sum_all(T v, T *scratch)
{
    for (int m = 16; m >= 1; m >>= 1)
        v += __shfl_xor_sync(0xffffffff, v, m);
    __syncthreads();                       // scratch may still be read from the last call
    if ((threadIdx.x & 31) == 0)
        scratch[threadIdx.x >> 5] = v;
    __syncthreads();
    T s = T(0);
    for (int w = 0; w < (int)(blockDim.x >> 5); ++w)
        s += scratch[w];
    return s;
}

// mean(1 - cosine_similarity(pred, target, dim=1))
#pragma cupilot optimize
#pragma cupilot workload(c1) set(B = 8192, D = 4096, eps = 1e-8) in(pred[B * D], target[B * D]) inout(loss[1]) launch(B, 256) fill(loss = zeros)
#pragma cupilot workload(c2) set(B = 6, D = 333, eps = 1e-8) in(pred[B * D], target[B * D]) inout(loss[1]) launch(B, 256) fill(loss = zeros) check
__global__ void cosine_similarity_loss(const float *pred, const float *target, float *loss, int B, int D, float eps)
{
    __shared__ float scratch[32];
    const float *p = pred + (size_t)blockIdx.x * D;
    const float *t = target + (size_t)blockIdx.x * D;

    float dot = 0, pp = 0, tt = 0;
    for (int j = threadIdx.x; j < D; j += blockDim.x) {
        float a = p[j], b = t[j];
        dot += a * b;
        pp += a * a;
        tt += b * b;
    }
    dot = block_sum_all(dot, scratch);
    pp = block_sum_all(pp, scratch);
    tt = block_sum_all(tt, scratch);

    if (threadIdx.x == 0) {
        float denom = fmaxf(sqrtf(pp), eps) * fmaxf(sqrtf(tt), eps);
        atomicAdd(loss, (1.0f - dot / denom) / (float)B);
    }
}

// Triplet margin loss, p = 2, one value per sample. One warp per sample.
#pragma cupilot optimize
#pragma cupilot workload(t1) set(n = 32768, dim = 1024, margin = 1.0) in(anchor[n * dim], positive[n * dim], negative[n * dim]) out(loss[n]) launch((n + 7) / 8, 256)
#pragma cupilot workload(t2) set(n = 10, dim = 45, margin = 0.3) in(anchor[n * dim], positive[n * dim], negative[n * dim]) out(loss[n]) launch((n + 7) / 8, 256) check
__global__ void triplet_margin(const float *anchor, const float *positive, const float *negative,
                               float *loss, float margin, int n, int dim)
{
    unsigned gtid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sample = gtid / 32u;
    unsigned lane = gtid % 32u;
    if (sample >= (unsigned)n) return;

    size_t off = (size_t)sample * dim;
    float dp = 0.f, dn = 0.f;
    for (unsigned k = lane; k < (unsigned)dim; k += 32u) {
        float a = anchor[off + k];
        float u = a - positive[off + k] + 1e-6f;
        float v = a - negative[off + k] + 1e-6f;
        dp = fmaf(u, u, dp);
        dn = fmaf(v, v, dn);
    }
#pragma unroll
    for (int s = 16; s > 0; s >>= 1) {
        dp += __shfl_xor_sync(0xffffffffu, dp, s);
        dn += __shfl_xor_sync(0xffffffffu, dn, s);
    }
    if (lane == 0u) {
        float l = sqrtf(dp) - sqrtf(dn) + margin;
        loss[sample] = l > 0.f ? l : 0.f;
    }
}

// Hinge loss mean(max(0, 1 - y * f)) on half data, two values at a time; n is even.
#pragma cupilot optimize
#pragma cupilot workload(h1) set(n = 1 << 25) in(f[n], y[n]) inout(total[1]) launch(2048, 256) fill(total = zeros)
#pragma cupilot workload(h2) set(n = 5002) in(f[n], y[n]) inout(total[1]) launch(4, 256) fill(total = zeros) check
__global__ void hinge_half2(const __half *f, const __half *y, float *total, int n)
{
    __shared__ float sm[256];
    const __half2 *f2 = reinterpret_cast<const __half2 *>(f);
    const __half2 *y2 = reinterpret_cast<const __half2 *>(y);
    const int pairs = n >> 1;

    float local = 0.f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < pairs; i += gridDim.x * 256) {
        float2 a = __half22float2(f2[i]);
        float2 b = __half22float2(y2[i]);
        local += fmaxf(0.f, 1.f - a.x * b.x) + fmaxf(0.f, 1.f - a.y * b.y);
    }
    sm[threadIdx.x] = local;
    __syncthreads();
    if (threadIdx.x < 128) sm[threadIdx.x] += sm[threadIdx.x + 128];
    __syncthreads();
    if (threadIdx.x < 64) sm[threadIdx.x] += sm[threadIdx.x + 64];
    __syncthreads();
    if (threadIdx.x < 32) {
        float v = sm[threadIdx.x] + sm[threadIdx.x + 32];
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0) atomicAdd(total, v / n);
    }
}

// Cross entropy with the online max / sum recurrence, bf16 logits, a single read of the row (vocab >= 32).
#pragma cupilot optimize
#pragma cupilot workload(lm) set(tokens = 4096, vocab = 32000) in(logits[tokens * vocab], labels[tokens]) inout(mean_loss[1]) launch((tokens + 3) / 4, dim3(32, 4)) fill(labels = randint(0, vocab - 1), mean_loss = zeros)
#pragma cupilot workload(lm_s) set(tokens = 9, vocab = 70) in(logits[tokens * vocab], labels[tokens]) inout(mean_loss[1]) launch((tokens + 3) / 4, dim3(32, 4)) fill(labels = randint(0, vocab - 1), mean_loss = zeros) check
__global__ void cross_entropy_online(const __nv_bfloat16 *logits, const int *labels, float *mean_loss,
                                     int tokens, int vocab)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= tokens) return;
    const __nv_bfloat16 *r = logits + (size_t)row * vocab;

    float mx = -INFINITY;
    float sum = 0.f;
    for (int c = threadIdx.x; c < vocab; c += 32) {
        float v = __bfloat162float(r[c]);
        float nm = fmaxf(mx, v);
        sum = sum * __expf(mx - nm) + __expf(v - nm);
        mx = nm;
    }

    for (int d = 16; d > 0; d >>= 1) {
        float om = __shfl_xor_sync(0xffffffff, mx, d);
        float os = __shfl_xor_sync(0xffffffff, sum, d);
        float nm = fmaxf(mx, om);
        sum = sum * __expf(mx - nm) + os * __expf(om - nm);
        mx = nm;
    }

    if (threadIdx.x == 0) {
        float l = __logf(sum) + mx - __bfloat162float(r[labels[row]]);
        atomicAdd(mean_loss, l / tokens);
    }
}

// Huber loss in double, mean per sample. Four samples per block, 64 threads on each.
#pragma cupilot optimize
#pragma cupilot workload(hd) set(S = 8192, F = 2048, delta = 1.0) in(yhat[S * F], ytrue[S * F]) out(per_sample[S]) launch((S + 3) / 4, dim3(64, 4))
#pragma cupilot workload(hd_s) set(S = 7, F = 99, delta = 0.75) in(yhat[S * F], ytrue[S * F]) out(per_sample[S]) launch((S + 3) / 4, dim3(64, 4)) check
__global__ void huber_per_sample(const double *yhat, const double *ytrue, double *per_sample, int S, int F, double delta)
{
    __shared__ double acc[4][64];
    const int s = blockIdx.x * 4 + threadIdx.y;
    double sum = 0.0;

    if (s < S) {
        for (int j = threadIdx.x; j < F; j += 64) {
            double e = fabs(yhat[s * F + j] - ytrue[s * F + j]);
            if (e <= delta)
                sum += 0.5 * e * e;
            else
                sum += delta * (e - 0.5 * delta);
        }
    }
    acc[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();

    for (int h = 32; h > 0; h /= 2) {
        if (threadIdx.x < h)
            acc[threadIdx.y][threadIdx.x] += acc[threadIdx.y][threadIdx.x + h];
        __syncthreads();
    }

    if (threadIdx.x == 0 && s < S)
        per_sample[s] = acc[threadIdx.y][0] / F;
}
//= cosine_similarity_loss: lifted
//= triplet_margin: lifted
//= hinge_half2: lifted
//= cross_entropy_online: a running maximum that begins at -INFINITY makes NaN of an infinity: promise assume(finite(...)) of what is read, or begin at -FLT_MAX
//= huber_per_sample: lifted
