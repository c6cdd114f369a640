// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// numerics: FFT, optimiser, factorisation, scatter
#include <cuda_runtime.h>
#include <cuda_fp16.h>

__device__ static inline float2 cmul(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// One radix-2 Stockham stage for a batch of transforms. `ns` is the length of
// the sub-transforms already done (1, 2, 4, ...). One thread per butterfly.
#pragma cupilot optimize
#pragma cupilot workload(batch) set(n = 4096, ns = 64, batch = 2048) in(src[batch * n]) out(dst[batch * n]) launch(dim3(n / 2 / 256, batch), 256)
#pragma cupilot workload(short) set(n = 512, ns = 1, batch = 3) in(src[batch * n]) out(dst[batch * n]) launch(dim3(n / 2 / 256, batch), 256) check
__global__ void fft_radix2_stage(const float2 *src, float2 *dst, int n, int ns, int batch)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int half = n >> 1;
    if (j >= half) return;

    src += blockIdx.y * n;
    dst += blockIdx.y * n;

    const int k = j & (ns - 1);
    float2 w;
    sincospif(-(float)k / ns, &w.y, &w.x);

    float2 u = src[j];
    float2 v = cmul(src[j + half], w);

    const int o = ((j - k) << 1) + k;
    dst[o]      = make_float2(u.x + v.x, u.y + v.y);
    dst[o + ns] = make_float2(u.x - v.x, u.y - v.y);
}

// AdamW with fp32 master weights, gradients in half precision
#pragma cupilot optimize
#pragma cupilot workload(layer) set(n = 1 << 24, lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 0.00000001, wd = 0.01, corr1 = 0.1, corr2 = 0.001) inout(p[n], m[n], v[n]) in(g[n]) out(p16[n]) fill(m = zeros, v = zeros) launch(1320, 256)
#pragma cupilot workload(bias) set(n = 5001, lr = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 0.00000001, wd = 0.0, corr1 = 0.1, corr2 = 0.001) inout(p[n], m[n], v[n]) in(g[n]) out(p16[n]) fill(m = zeros, v = zeros) launch(10, 256) check
template <typename Grad>
__global__ void adamw_step(float *__restrict__ p, float *__restrict__ m, float *__restrict__ v,
                           const Grad *__restrict__ g, Grad *__restrict__ p16, size_t n, float lr,
                           float beta1, float beta2, float eps, float wd, float corr1, float corr2)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float grad = (float)g[i];
        float mi = beta1 * m[i] + (1.0f - beta1) * grad;
        float vi = beta2 * v[i] + (1.0f - beta2) * grad * grad;
        m[i] = mi;
        v[i] = vi;

        float mhat = mi / corr1;
        float vhat = vi / corr2;
        float w = p[i];
        w -= lr * (mhat / (sqrtf(vhat) + eps) + wd * w);
        p[i] = w;
        p16[i] = (Grad)w;
    }
}
template __global__ void adamw_step<__half>(float *, float *, float *, const __half *, __half *,
                                            size_t, float, float, float, float, float, float, float);

#define A_(r, c) A[(size_t)(r) * lda + (c)]

// Gaussian elimination without pivoting, step k: block b clears column k of
// row k+1+b and leaves the multiplier there.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 6000, lda = 6016, k = 10) inout(A[n * lda]) launch(n - 1 - k, 256)
#pragma cupilot workload(small) set(n = 99, lda = 100, k = 40) inout(A[n * lda]) launch(n - 1 - k, 64) check
__global__ void lu_eliminate_row(double *A, int n, int lda, int k)
{
    __shared__ double factor;
    const int row = k + 1 + blockIdx.x;

    if (threadIdx.x == 0)
        factor = A_(row, k) / A_(k, k);
    __syncthreads();

    for (int col = k + 1 + threadIdx.x; col < n; col += blockDim.x)
        A_(row, col) -= factor * A_(k, col);

    if (threadIdx.x == 0)
        A_(row, k) = factor;
}

#define BS 16

// Solve with the 16x16 lower diagonal block that starts at row k0; every
// thread handles one right-hand side in registers. The reciprocals of the
// diagonal are precomputed.
#pragma cupilot optimize
#pragma cupilot workload(wide) set(n = 1024, nrhs = 1 << 20, k0 = 512) in(L[n * n], dinv[n]) inout(B[16 * nrhs]) launch((nrhs + 127) / 128, 128)
#pragma cupilot workload(narrow) set(n = 64, nrhs = 333, k0 = 48) in(L[n * n], dinv[n]) inout(B[16 * nrhs]) launch((nrhs + 127) / 128, 128) check
__global__ void trsm_lower_block16(const float *L, const float *dinv, float *B,
                                   int n, int nrhs, int k0)
{
    __shared__ float Ls[BS][BS + 1];
    __shared__ float ds[BS];

    for (int t = threadIdx.x; t < BS * BS; t += blockDim.x)
        Ls[t / BS][t % BS] = L[(k0 + t / BS) * n + k0 + t % BS];
    if (threadIdx.x < BS)
        ds[threadIdx.x] = dinv[k0 + threadIdx.x];
    __syncthreads();

    const int rhs = blockIdx.x * blockDim.x + threadIdx.x;
    if (rhs >= nrhs) return;

    float x[BS];
#pragma unroll
    for (int i = 0; i < BS; i++)
        x[i] = B[i * nrhs + rhs];

#pragma unroll
    for (int i = 0; i < BS; i++) {
#pragma unroll
        for (int j = 0; j < i; j++)
            x[i] -= Ls[i][j] * x[j];
        x[i] *= ds[i];
    }

#pragma unroll
    for (int i = 0; i < BS; i++)
        B[i * nrhs + rhs] = x[i];
}

// dst[index[e], :] += weight[e] * src[e, :], the aggregation of a graph network.
// threadIdx.y picks the edge, threadIdx.x runs over float4 groups of features.
#pragma cupilot optimize
#pragma cupilot workload(graph) set(nedges = 500000, nnodes = 50000, nf4 = 16) in(src[nedges * nf4], weight[nedges], index[nedges]) inout(dst[nnodes * nf4 * 4]) fill(index = randint(0, nnodes - 1), dst = zeros) launch((nedges + 15) / 16, dim3(16, 16))
#pragma cupilot workload(mini) set(nedges = 1001, nnodes = 60, nf4 = 5) in(src[nedges * nf4], weight[nedges], index[nedges]) inout(dst[nnodes * nf4 * 4]) fill(index = randint(0, nnodes - 1), dst = zeros) launch((nedges + 15) / 16, dim3(16, 16)) check
__global__ void scatter_add_edges(const float4 *src, const float *weight, const long long *index,
                                  float *dst, int nedges, int nnodes, int nf4)
{
    const int e = blockIdx.x * blockDim.y + threadIdx.y;
    if (e >= nedges) return;

    const float wgt = weight[e];
    if (wgt == 0.0f) return;

    float *row = dst + index[e] * nf4 * 4;
    src += (size_t)e * nf4;
    for (int f = threadIdx.x; f < nf4; f += blockDim.x) {
        float4 v = src[f];
        atomicAdd(row + 4 * f + 0, wgt * v.x);
        atomicAdd(row + 4 * f + 1, wgt * v.y);
        atomicAdd(row + 4 * f + 2, wgt * v.z);
        atomicAdd(row + 4 * f + 3, wgt * v.w);
    }
}
//= fft_radix2_stage: threads do not work apart from each other: iterations may write the same element of 'dst'
//= adamw_step.__half: lifted
//= lu_eliminate_row: the iterations of this loop, which threads share, need each other: iterations read elements of 'A' that others write
//= trsm_lower_block16: 'x' is an array of each thread
//= scatter_add_edges: lifted
