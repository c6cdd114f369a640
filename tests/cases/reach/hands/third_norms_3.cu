// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Normalisation kernels
#include <cuda_runtime.h>
#include <cstdint>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(FULL_MASK, v, offset);
    return v;
}

// Sum over the block, result is valid in every thread. blockDim.x multiple of 32.
__device__ float block_sum(float v, float *scratch)
{
    int lane = threadIdx.x % WARP_SIZE;
    int warp = threadIdx.x / WARP_SIZE;
    v = warp_sum(v);
    if (lane == 0)
        scratch[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < (blockDim.x / WARP_SIZE) ? scratch[lane] : 0.f;
        v = warp_sum(v);
        if (lane == 0)
            scratch[0] = v;
    }
    __syncthreads();
    float total = scratch[0];
    __syncthreads();
    return total;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 4096, D = 4096, eps = 1e-5) in(x[N * D], gamma[D], beta[D]) out(y[N * D]) launch(N, 256)
#pragma cupilot workload(small) set(N = 17, D = 333, eps = 1e-5) in(x[N * D], gamma[D], beta[D]) out(y[N * D]) launch(N, 256) check
__global__ void layer_norm_fwd(const float *__restrict__ x, const float *__restrict__ gamma,
                               const float *__restrict__ beta, float *__restrict__ y,
                               int N, int D, float eps)
{
    __shared__ float scratch[WARP_SIZE];
    int row = blockIdx.x;
    if (row >= N)
        return;

    x += (int64_t)row * D;
    y += (int64_t)row * D;

    float s = 0.f;
    for (int i = threadIdx.x; i < D; i += blockDim.x)
        s += x[i];
    const float mu = block_sum(s, scratch) / D;

    float ss = 0.f;
    for (int i = threadIdx.x; i < D; i += blockDim.x) {
        float d = x[i] - mu;
        ss += d * d;
    }
    const float rstd = rsqrtf(block_sum(ss, scratch) / D + eps);

    for (int i = threadIdx.x; i < D; i += blockDim.x)
        y[i] = (x[i] - mu) * rstd * gamma[i] + beta[i];
}

// x is [batch, features, spatial], normalised over the features axis
#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 16, features = 64, spatial = 65536, eps = 1e-5) in(x[batch * features * spatial]) out(y[batch * features * spatial]) launch((batch * spatial + 255) / 256, 256)
#pragma cupilot workload(small) set(batch = 3, features = 10, spatial = 777, eps = 1e-5) in(x[batch * features * spatial]) out(y[batch * features * spatial]) launch((batch * spatial + 255) / 256, 256) check
__global__ void rms_norm_channels(const float *x, float *y, int batch, int features, int spatial, float eps)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int b = tid / spatial;
    int p = tid % spatial;
    if (b < batch) {
        int base = b * features * spatial + p;
        float sq = 0.0f;
        for (int f = 0; f < features; f++) {
            float v = x[base + f * spatial];
            sq += v * v;
        }
        float rms = sqrtf(sq / features + eps);
        for (int f = 0; f < features; f++) {
            y[base + f * spatial] = x[base + f * spatial] / rms;
        }
    }
}

// one warp per row, float4 loads, dim must be a multiple of 4
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 32768, dim = 1024) in(x[rows * dim]) out(y[rows * dim]) launch((rows + 7) / 8, 256)
#pragma cupilot workload(small) set(rows = 45, dim = 364) in(x[rows * dim]) out(y[rows * dim]) launch((rows + 7) / 8, 256) check
__global__ void l2norm_warp_per_row(const float *x, float *y, int rows, int dim)
{
    const int warps_per_block = blockDim.x >> 5;
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * warps_per_block + (threadIdx.x >> 5);
    if (row >= rows) return;   // whole warp leaves together

    const float4 *xr = reinterpret_cast<const float4 *>(x + (size_t)row * dim);
    float4 *yr = reinterpret_cast<float4 *>(y + (size_t)row * dim);
    const int nvec = dim / 4;

    float acc = 0.f;
    for (int i = lane; i < nvec; i += 32) {
        float4 v = xr[i];
        acc += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    // butterfly: every lane gets the sum
    for (int m = 16; m >= 1; m >>= 1)
        acc += __shfl_xor_sync(FULL_MASK, acc, m);

    const float scale = 1.0f / sqrtf(acc);
    for (int i = lane; i < nvec; i += 32) {
        float4 v = xr[i];
        v.x *= scale;
        v.y *= scale;
        v.z *= scale;
        v.w *= scale;
        yr[i] = v;
    }
}

// Frobenius norm, first stage: every block writes the norm of the part it has seen
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25) in(x[n]) out(partial[1024]) launch(1024, 256)
#pragma cupilot workload(small) set(n = 99991) in(x[n]) out(partial[64]) launch(64, 256) check
__global__ void frobenius_partial(const float *x, float *partial, int64_t n)
{
    __shared__ float cache[256];
    int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int64_t stride = (int64_t)gridDim.x * blockDim.x;

    float temp = 0.0f;
    while (i < n) {
        temp += x[i] * x[i];
        i += stride;
    }
    cache[threadIdx.x] = temp;
    __syncthreads();

    int half = blockDim.x / 2;
    while (half != 0) {
        if (threadIdx.x < half)
            cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
        half /= 2;
    }

    if (threadIdx.x == 0)
        partial[blockIdx.x] = sqrtf(cache[0]);
}

// second stage: combine the partial norms (every block does it again) and scale
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25, num_partial = 1024) in(x[n], partial[num_partial]) out(y[n]) launch(4096, 256)
#pragma cupilot workload(small) set(n = 99991, num_partial = 61) in(x[n], partial[num_partial]) out(y[n]) launch(40, 256) check
__global__ void frobenius_scale(const float *x, const float *partial, float *y, int64_t n, int num_partial)
{
    __shared__ float scratch[32];
    float s = 0.0f;
    for (int i = threadIdx.x; i < num_partial; i += blockDim.x) {
        float p = partial[i];
        s += p * p;
    }
    float norm = sqrtf(block_sum(s, scratch));

    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        y[i] = x[i] / norm;
    }
}
//= layer_norm_fwd: lifted
//= rms_norm_channels: lifted
//= l2norm_warp_per_row: lifted
//= frobenius_partial: each thread or block has a part of 'temp', and no atomic operation puts the parts together
//= frobenius_scale: lifted
