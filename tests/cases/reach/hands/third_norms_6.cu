// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Batch norm, group norm, online softmax, GPT gelu
#include <cuda_runtime.h>
#include <math_constants.h>

// NCHW, the spatial axes flattened to HW
#define IDX3(n, c, p, C, HW) (((size_t)(n) * (C) + (c)) * (HW) + (p))

// merge (nb, mb, sb) into (na, ma, sa)
__device__ void welford_merge(float &na, float &ma, float &sa, float nb, float mb, float sb)
{
    float n = na + nb;
    if (n == 0.f) return;
    float delta = mb - ma;
    ma += delta * (nb / n);
    sa += sb + delta * delta * (na * nb / n);
    na = n;
}

// one block per channel
#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 16, C = 64, HW = 65536, eps = 1e-5) in(x[N * C * HW]) out(mean[C], rstd[C]) launch(C, 256)
#pragma cupilot workload(small) set(N = 3, C = 7, HW = 50, eps = 1e-5) in(x[N * C * HW]) out(mean[C], rstd[C]) launch(C, 256) check
__global__ void batchnorm_stats_welford(const float *x, float *mean, float *rstd, int N, int C, int HW, float eps)
{
    __shared__ float s_n[256];
    __shared__ float s_mean[256];
    __shared__ float s_m2[256];

    const int c = blockIdx.x;
    const int t = threadIdx.x;

    float cnt = 0.f, mu = 0.f, m2 = 0.f;
    for (int i = t; i < N * HW; i += blockDim.x) {
        int n = i / HW;
        int p = i - n * HW;
        float v = x[IDX3(n, c, p, C, HW)];
        cnt += 1.f;
        float d = v - mu;
        mu += d / cnt;
        m2 += d * (v - mu);
    }
    s_n[t] = cnt;
    s_mean[t] = mu;
    s_m2[t] = m2;
    __syncthreads();

    for (int stride = 128; stride > 0; stride >>= 1) {
        if (t < stride) {
            welford_merge(cnt, mu, m2, s_n[t + stride], s_mean[t + stride], s_m2[t + stride]);
            s_n[t] = cnt;
            s_mean[t] = mu;
            s_m2[t] = m2;
        }
        __syncthreads();
    }

    if (t == 0) {
        mean[c] = mu;
        rstd[c] = rsqrtf(m2 / cnt + eps);
    }
}

// x: position, y: channel, z: image
#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 16, C = 64, HW = 65536) in(x[N * C * HW], mean[C], rstd[C], weight[C], bias[C]) out(y[N * C * HW]) launch(dim3((HW + 255) / 256, C, N), dim3(256, 1, 1))
#pragma cupilot workload(small) set(N = 2, C = 3, HW = 1001) in(x[N * C * HW], mean[C], rstd[C], weight[C], bias[C]) out(y[N * C * HW]) launch(dim3((HW + 255) / 256, C, N), dim3(256, 1, 1)) check
__global__ void batchnorm_apply(const float *x, const float *mean, const float *rstd,
                                const float *weight, const float *bias, float *y,
                                int N, int C, int HW)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y;
    int n = blockIdx.z;
    if (n < N && c < C && p < HW) {
        float scale = rstd[c] * weight[c];
        float shift = bias[c] - mean[c] * scale;
        y[IDX3(n, c, p, C, HW)] = x[IDX3(n, c, p, C, HW)] * scale + shift;
    }
}

// grid: (groups, batch). The channels of a group are contiguous in memory.
#pragma cupilot optimize
#pragma cupilot workload(large) set(C = 64, G = 8, HW = 65536, eps = 1e-5) in(x[16 * C * HW], gamma[C], beta[C]) out(y[16 * C * HW]) launch(dim3(G, 16), 1024)
#pragma cupilot workload(small) set(C = 12, G = 3, HW = 301, eps = 1e-5) in(x[2 * C * HW], gamma[C], beta[C]) out(y[2 * C * HW]) launch(dim3(G, 2), 1024) check
__global__ void group_norm(const float *x, const float *gamma, const float *beta, float *y,
                           int C, int G, int HW, float eps)
{
    __shared__ float2 warp_part[32];
    __shared__ float s_mean, s_rstd;

    const int g = blockIdx.x;
    const int cpg = C / G;
    const int len = cpg * HW;
    const size_t off = ((size_t)blockIdx.y * G + g) * len;

    float s = 0.f, q = 0.f;
    for (int i = threadIdx.x; i < len; i += blockDim.x) {
        float v = x[off + i];
        s += v;
        q += v * v;
    }

    for (int d = 16; d > 0; d >>= 1) {
        s += __shfl_down_sync(0xffffffff, s, d);
        q += __shfl_down_sync(0xffffffff, q, d);
    }
    if (threadIdx.x % 32 == 0)
        warp_part[threadIdx.x / 32] = make_float2(s, q);
    __syncthreads();

    if (threadIdx.x == 0) {
        float ts = 0.f, tq = 0.f;
        for (int w = 0; w < blockDim.x / 32; w++) {
            ts += warp_part[w].x;
            tq += warp_part[w].y;
        }
        float m = ts / len;
        s_mean = m;
        s_rstd = rsqrtf(tq / len - m * m + eps);
    }
    __syncthreads();

    for (int i = threadIdx.x; i < len; i += blockDim.x) {
        int c = g * cpg + i / HW;
        y[off + i] = (x[off + i] - s_mean) * s_rstd * gamma[c] + beta[c];
    }
}

// softmax with running maximum and running sum, a warp takes one row, block is (32, 4)
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 2048) in(logits[rows * cols]) out(probs[rows * cols]) launch((rows + 3) / 4, dim3(32, 4))
#pragma cupilot workload(small) set(rows = 30, cols = 21) in(logits[rows * cols]) out(probs[rows * cols]) launch((rows + 3) / 4, dim3(32, 4)) check
__global__ void softmax_online_warp(const float *__restrict__ logits, float *__restrict__ probs, int rows, int cols)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    int lane = threadIdx.x;
    if (row < rows) {
        const float *in = logits + row * cols;
        float *out = probs + row * cols;

        float m = -CUDART_INF_F;
        float d = 0.0f;
        for (int j = lane; j < cols; j += 32) {
            float v = in[j];
            float m_new = fmaxf(m, v);
            d = d * __expf(m - m_new) + __expf(v - m_new);
            m = m_new;
        }

        for (int off = 16; off > 0; off >>= 1) {
            float mo = __shfl_xor_sync(0xffffffff, m, off);
            float dd = __shfl_xor_sync(0xffffffff, d, off);
            float mm = fmaxf(m, mo);
            // lanes that have seen nothing carry -inf
            float sa = (m == -CUDART_INF_F) ? 0.0f : d * __expf(m - mm);
            float sb = (mo == -CUDART_INF_F) ? 0.0f : dd * __expf(mo - mm);
            d = sa + sb;
            m = mm;
        }

        for (int j = lane; j < cols; j += 32)
            out[j] = __expf(in[j] - m) / d;
    }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 22) in(x[n]) out(y[n]) launch((n + 127) / 128, 128)
#pragma cupilot workload(small) set(n = 1999) in(x[n]) out(y[n]) launch((n + 127) / 128, 128) check
__global__ void new_gelu_double(const double *x, double *y, const int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double k = 0.79788456080286535588; // sqrt(2 / pi)
    if (i < n) {
        double v = x[i];
        double inner = k * (v + 0.044715 * pow(v, 3.0));
        y[i] = 0.5 * v * (1.0 + tanh(inner));
    }
}
//= batchnorm_stats_welford: lifted
//= batchnorm_apply: lifted
//= group_norm: lifted
//= softmax_online_warp: a running maximum that begins at -INFINITY makes NaN of an infinity: promise assume(finite(...)) of what is read, or begin at -FLT_MAX
//= new_gelu_double: lifted
