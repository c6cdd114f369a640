// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <float.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define THREADS_PER_BLOCK 256

// partial[blockIdx.x] = part of a.b, finished on the host
#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 33554432) in(a[1 << 26]) in(b[1 << 26]) inout(partial[1 << 26]) launch(512, \
    256)
__global__ void dot(const float *a, const float *b, float *partial, int N)
{
    __shared__ float cache[THREADS_PER_BLOCK];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }

    cache[cacheIndex] = temp;
    __syncthreads();

    // THREADS_PER_BLOCK must be a power of 2
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }

    if (cacheIndex == 0)
        partial[blockIdx.x] = cache[0];
}

__device__ unsigned int blocks_done = 0;

// Sum in a single launch: the block that arrives last adds up the partials.
// partial needs gridDim.x entries.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 67108864) in(in[1 << 26]) inout(partial[1 << 26]) inout(out[1 << 26]) \
    launch(264, 512)
__global__ void sum_single_pass(const float* __restrict__ in, volatile float* partial, float* out, size_t n)
{
    __shared__ float sm[512];
    __shared__ bool is_last;

    const unsigned int tid = threadIdx.x;
    const size_t stride = (size_t)gridDim.x * blockDim.x;

    float s = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n; i += stride)
        s += in[i];
    sm[tid] = s;
    __syncthreads();
    for (unsigned int w = 256; w > 0; w >>= 1) {
        if (tid < w) sm[tid] += sm[tid + w];
        __syncthreads();
    }

    if (tid == 0) {
        partial[blockIdx.x] = sm[0];
        __threadfence();
        unsigned int ticket = atomicInc(&blocks_done, gridDim.x - 1);  // wraps to 0 by itself
        is_last = (ticket == gridDim.x - 1);
    }
    __syncthreads();

    if (is_last) {
        s = 0.0f;
        for (unsigned int i = tid; i < gridDim.x; i += blockDim.x)
            s += partial[i];
        sm[tid] = s;
        __syncthreads();
        for (unsigned int w = 256; w > 0; w >>= 1) {
            if (tid < w) sm[tid] += sm[tid + w];
            __syncthreads();
        }
        if (tid == 0) *out = sm[0];
    }
}

constexpr int ITEMS = 8;

// Per block maximum and where it is. On ties the smallest index wins.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 50331648) in(x[1 << 26]) inout(block_val[1 << 26]) inout(block_idx[1 << \
    26]) launch((n + 256 * 8 - 1) / (256 * 8), 256)
__global__ void block_argmax(const float* __restrict__ x, float* __restrict__ block_val,
                             int* __restrict__ block_idx, int n)
{
    float best = -FLT_MAX;
    int   where = 0x7fffffff;

    const int base = blockIdx.x * (256 * ITEMS) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        const int i = base + k * 256;
        if (i < n) {
            const float v = x[i];
            if (v > best) { best = v; where = i; }
        }
    }

    auto take = [&](float v, int i) {
        if (v > best || (v == best && i < where)) { best = v; where = i; }
    };

    for (int d = 16; d > 0; d >>= 1) {
        float v = __shfl_down_sync(0xffffffffu, best, d);
        int   i = __shfl_down_sync(0xffffffffu, where, d);
        take(v, i);
    }

    __shared__ float sv[8];
    __shared__ int   si[8];
    const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    if (lane == 0) { sv[wid] = best; si[wid] = where; }
    __syncthreads();

    if (wid == 0) {
        best  = lane < 8 ? sv[lane] : -FLT_MAX;
        where = lane < 8 ? si[lane] : 0x7fffffff;
        for (int d = 4; d > 0; d >>= 1) {
            float v = __shfl_down_sync(0xffffffffu, best, d);
            int   i = __shfl_down_sync(0xffffffffu, where, d);
            take(v, i);
        }
        if (lane == 0) {
            block_val[blockIdx.x] = best;
            block_idx[blockIdx.x] = where;
        }
    }
}

template <typename T>
__inline__ __device__ T warpSum(T v)
{
    for (int mask = warpSize / 2; mask > 0; mask /= 2)
        v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

// mean and (biased) variance of every row, reading the row once
#pragma cupilot optimize
#pragma cupilot workload(timed) set(rows = 16384, cols = 2048) in(x[1 << 26]) inout(mean[1 << 26]) inout(var[1 << \
    26]) launch(rows, 128)
template <typename T>
__global__ void row_mean_var(const T* __restrict__ x, T* __restrict__ mean, T* __restrict__ var,
                             int rows, int cols)
{
    __shared__ T s_sum[32];
    __shared__ T s_sq[32];

    for (int r = blockIdx.x; r < rows; r += gridDim.x) {
        const T* row = x + (size_t)r * cols;

        T sum = 0, sq = 0;
        for (int c = threadIdx.x; c < cols; c += blockDim.x) {
            T v = row[c];
            sum += v;
            sq  += v * v;
        }
        sum = warpSum(sum);
        sq  = warpSum(sq);

        const int lane = threadIdx.x % warpSize;
        const int wid  = threadIdx.x / warpSize;
        if (lane == 0) {
            s_sum[wid] = sum;
            s_sq[wid]  = sq;
        }
        __syncthreads();

        if (wid == 0) {
            const int nwarps = blockDim.x / warpSize;
            sum = lane < nwarps ? s_sum[lane] : T(0);
            sq  = lane < nwarps ? s_sq[lane]  : T(0);
            sum = warpSum(sum);
            sq  = warpSum(sq);
            if (lane == 0) {
                T m = sum / cols;
                mean[r] = m;
                var[r]  = sq / cols - m * m;
            }
        }
        __syncthreads();
    }
}

// *result += sum x[i]^2. Vector loads for the bulk, the last n % 4 by block 0.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 40000003) in(x[1 << 26]) inout(result[1 << 26]) launch(1056, 256)
__global__ void squared_norm_vec4(const float *__restrict__ x, float *__restrict__ result, int n)
{
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cta);

    const float4 *x4 = reinterpret_cast<const float4 *>(x);
    const int n4 = n / 4;

    float acc = 0.f;
    for (int i = blockIdx.x * blockDim.x + cta.thread_rank(); i < n4; i += gridDim.x * blockDim.x) {
        float4 v = x4[i];
        acc += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }

    int tail = n4 * 4 + cta.thread_rank();
    if (blockIdx.x == 0 && tail < n)
        acc += x[tail] * x[tail];

    for (int i = tile.size() / 2; i > 0; i /= 2)
        acc += tile.shfl_down(acc, i);

    __shared__ float warp_acc[8];
    if (tile.thread_rank() == 0)
        warp_acc[tile.meta_group_rank()] = acc;
    cg::sync(cta);

    if (cta.thread_rank() == 0) {
        float total = 0.f;
        for (int w = 0; w < (int)tile.meta_group_size(); w++)
            total += warp_acc[w];
        atomicAdd(result, total);
    }
}

template __global__ void row_mean_var<float>(const float* __restrict__ x, float* __restrict__ mean, float* __restrict__ var,
                             int rows, int cols);
//= dot: each thread or block has a part of 'temp', and no atomic operation puts the parts together
//= sum_single_pass: the kernel accesses volatile memory
//= block_argmax: lifted
//= row_mean_var.float: lifted
//= squared_norm_vec4: threads exchange values under a condition that depends on more than their indices
