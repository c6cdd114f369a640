// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <math.h>
#include <float.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ float warpReduceMax(float val) {
    for (int offset = 16; offset > 0; offset /= 2) {
        val = fmaxf(val, __shfl_xor_sync(0xFFFFFFFF, val, offset));
    }
    return val;
}

__device__ __forceinline__ float warpReduceSum(float val) {
    for (int offset = 16; offset > 0; offset /= 2) {
        val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
    }
    return val;
}

// out is (N, C) just like inp. Each row of C elements will get softmaxed by one block
// shared memory: one slot per warp for the max and one per warp for the sum
#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 8192, C = 4096) inout(out[1 << 26]) in(inp[1 << 26]) launch(N, 256, 2 * 256 \
    / 32 * 4)
__global__ void softmax_forward_kernel(float* out, const float* inp, int N, int C) {
    extern __shared__ float shared[];
    int idx = blockIdx.x;
    int tid = threadIdx.x;
    int warpId = threadIdx.x / 32;
    int laneId = threadIdx.x % 32;
    int warpsPerBlock = blockDim.x / 32;

    float* maxvals = shared;
    float* sumvals = &shared[warpsPerBlock];

    const float* x = inp + (size_t)idx * C;
    float* y = out + (size_t)idx * C;

    // max over the row
    float maxval = -INFINITY;
    for (int i = tid; i < C; i += blockDim.x) {
        maxval = fmaxf(maxval, x[i]);
    }
    maxval = warpReduceMax(maxval);
    if (laneId == 0) maxvals[warpId] = maxval;
    __syncthreads();
    if (tid == 0) {
        float val = maxvals[0];
        for (int i = 1; i < warpsPerBlock; i++) {
            val = fmaxf(val, maxvals[i]);
        }
        maxvals[0] = val;
    }
    __syncthreads();
    float offset = maxvals[0];

    // write exp(x - max) to global memory and sum it on the way
    float sumval = 0.0f;
    for (int i = tid; i < C; i += blockDim.x) {
        float e = expf(x[i] - offset);
        y[i] = e;
        sumval += e;
    }
    sumval = warpReduceSum(sumval);
    if (laneId == 0) sumvals[warpId] = sumval;
    __syncthreads();
    if (tid == 0) {
        float val = sumvals[0];
        for (int i = 1; i < warpsPerBlock; ++i) {
            val += sumvals[i];
        }
        sumvals[0] = val;
    }
    __syncthreads();
    float sum = sumvals[0];

    for (int i = tid; i < C; i += blockDim.x) {
        y[i] = y[i] / sum;
    }
}

// one warp per (b,t) position, mean and rstd are kept for the backward pass
#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 32768, C = 768) inout(out[1 << 26]) inout(mean[1 << 26]) inout(rstd[1 << \
    26]) in(inp[1 << 26]) in(weight[1 << 26]) in(bias[1 << 26]) launch((N * 32 + 511) / 512, 512)
__global__ void layernorm_forward_kernel(float* __restrict__ out, float* __restrict__ mean, float* __restrict__ rstd,
                                         const float* __restrict__ inp, const float* __restrict__ weight,
                                         const float* __restrict__ bias, int N, int C) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int idx = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    if (idx >= N) { return; }

    const float* x = inp + (size_t)idx * C;

    // mean
    float sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) {
        sum += x[i];
    }
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float m = sum / C;
    if (warp.thread_rank() == 0) {
        __stcs(mean + idx, m);
    }

    // rstd
    sum = 0.0f;
    for (int i = warp.thread_rank(); i < C; i += warp.size()) {
        float diff = x[i] - m;
        sum += diff * diff;
    }
    sum = cg::reduce(warp, sum, cg::plus<float>{});
    float s = rsqrtf(sum / C + 1e-5f);
    if (warp.thread_rank() == 0) {
        __stcs(rstd + idx, s);
    }

    float* o = out + (size_t)idx * C;
    for (int c = warp.thread_rank(); c < C; c += warp.size()) {
        float n = s * (__ldcs(x + c) - m);
        __stcs(o + c, n * weight[c] + bias[c]);
    }
}

#define GELU_SCALING_FACTOR sqrtf(2.0f / M_PI)

#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 33554432) inout(dinp[1 << 26]) in(inp[1 << 26]) in(dout[1 << 26]) launch((N \
    + 127) / 128, 128)
__global__ void gelu_backward(float* dinp, const float* inp, const float* dout, const int N) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float x = (float)inp[i];
        float cube = 0.044715f * x * x * x;
        float tanh_arg = GELU_SCALING_FACTOR * (x + cube);
        float tanh_out = tanhf(tanh_arg);
        float coshf_out = coshf(tanh_arg);
        float sech_out = 1.0f / (coshf_out * coshf_out);
        float local_grad = 0.5f * (1.0f + tanh_out) + x * 0.5f * sech_out * GELU_SCALING_FACTOR * (1.0f + 3.0f * 0.044715f * x * x);
        dinp[i] = local_grad * dout[i];
    }
}

#define CUDA_ROPE_BLOCK_SIZE 256

// neox layout: element i is rotated together with element i + n_dims/2,
// the channels past n_dims are passed through
#pragma cupilot optimize
#pragma cupilot workload(timed) set(ne0 = 512, n_heads = 16, n_tokens = 4096, n_dims = 512, freq_scale = 1, \
    theta_scale = 1) in(x[1 << 26]) inout(dst[1 << 26]) in(pos[1 << 26]) launch(dim3(n_heads * n_tokens, (ne0 / 2 + 256 - 1) / 256), 256)
static __global__ void rope_neox_f32(
        const float * x, float * dst, const int ne0, const int n_heads, const int n_tokens, const int n_dims,
        const int * pos, const float freq_scale, const float theta_scale) {
    const int i0 = 2*(blockDim.x*blockIdx.y + threadIdx.x);

    if (i0 >= ne0) {
        return;
    }

    const int row     = blockIdx.x;
    const int i_token = row/n_heads;

    if (i_token >= n_tokens) {
        return;
    }

    if (i0 >= n_dims) {
        const long long i = (long long) row*ne0 + i0;

        dst[i + 0] = x[i + 0];
        dst[i + 1] = x[i + 1];

        return;
    }

    const long long i = (long long) row*ne0 + i0/2;

    const float theta = pos[i_token]*freq_scale*powf(theta_scale, i0/2.0f);

    const float cos_theta = cosf(theta);
    const float sin_theta = sinf(theta);

    const float x0 = x[i + 0];
    const float x1 = x[i + n_dims/2];

    dst[i + 0]        = x0*cos_theta - x1*sin_theta;
    dst[i + n_dims/2] = x0*sin_theta + x1*cos_theta;
}

#define TS 32

// scores = scale * Q K^T for a single head, upper triangle masked out.
// q and k point into the packed qkv buffer, so consecutive tokens are ld_qkv floats apart
#pragma cupilot optimize
#pragma cupilot workload(timed) set(T = 4096, head_dim = 128, ld_qkv = 6144, scale = 1) in(q[1 << 26]) in(k[1 << \
    26]) inout(scores[1 << 26]) launch(dim3((T + 32 - 1) / 32, (T + 32 - 1) / 32), dim3(32, 32))
__global__ void attention_scores_causal(const float* __restrict__ q, const float* __restrict__ k,
                                        float* __restrict__ scores,
                                        int T, int head_dim, int ld_qkv, float scale)
{
    __shared__ float qs[TS][TS + 1];
    __shared__ float ks[TS][TS + 1];

    const int t_q = blockIdx.y * TS + threadIdx.y;
    const int t_k = blockIdx.x * TS + threadIdx.x;

    // whole tile is above the diagonal
    if (blockIdx.x > blockIdx.y) {
        if (t_q < T && t_k < T)
            scores[(size_t)t_q * T + t_k] = -INFINITY;
        return;
    }

    const int k_row = blockIdx.x * TS + threadIdx.y;

    float acc = 0.0f;
    for (int d0 = 0; d0 < head_dim; d0 += TS) {
        const int d = d0 + threadIdx.x;
        qs[threadIdx.y][threadIdx.x] = (t_q   < T && d < head_dim) ? q[(size_t)t_q   * ld_qkv + d] : 0.0f;
        ks[threadIdx.y][threadIdx.x] = (k_row < T && d < head_dim) ? k[(size_t)k_row * ld_qkv + d] : 0.0f;
        __syncthreads();

        #pragma unroll
        for (int i = 0; i < TS; i++)
            acc += qs[threadIdx.y][i] * ks[threadIdx.x][i];
        __syncthreads();
    }

    if (t_q < T && t_k < T)
        scores[(size_t)t_q * T + t_k] = (t_k <= t_q) ? acc * scale : -INFINITY;
}
//= softmax_forward_kernel: lifted
//= layernorm_forward_kernel: lifted
//= gelu_backward: lifted
//= rope_neox_f32: threads do not work apart from each other: iterations may write the same element of 'dst'
//= attention_scores_causal: threads leave in the midst of the work
