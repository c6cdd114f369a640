// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// transformer building blocks
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <math.h>

// Softmax over the last dimension, a block per row, tree reductions.
#pragma cupilot optimize
#pragma cupilot workload(logits) set(nrows = 2048, ncols = 32000, temperature = 0.7) in(x[nrows * ncols]) out(y[nrows * ncols]) launch(nrows, 512, 512 * 4)
#pragma cupilot workload(tiny) set(nrows = 37, ncols = 1000, temperature = 0.7) in(x[nrows * ncols]) out(y[nrows * ncols]) launch(nrows, 256, 256 * 4) check
__global__ void softmax_rows(const float *x, float *y, int nrows, int ncols, float temperature)
{
    extern __shared__ unsigned char smem_raw[];
    float *buf = reinterpret_cast<float *>(smem_raw);
    const int tid = threadIdx.x;
    const float inv_t = 1.0f / temperature;

    x += (size_t)blockIdx.x * ncols;
    y += (size_t)blockIdx.x * ncols;

    // 1. maximum
    float m = -INFINITY;
    for (int i = tid; i < ncols; i += blockDim.x)
        m = fmaxf(m, x[i]);
    buf[tid] = m;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            buf[tid] = fmaxf(buf[tid], buf[tid + s]);
        __syncthreads();
    }
    m = buf[0];
    __syncthreads();

    // 2. exponentials and their sum
    float sum = 0.0f;
    for (int i = tid; i < ncols; i += blockDim.x) {
        float e = __expf((x[i] - m) * inv_t);
        y[i] = e;
        sum += e;
    }
    buf[tid] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            buf[tid] += buf[tid + s];
        __syncthreads();
    }

    // 3. normalise
    const float r = 1.0f / buf[0];
    for (int i = tid; i < ncols; i += blockDim.x)
        y[i] *= r;
}

__device__ __forceinline__ float to_f(float v)  { return v; }
__device__ __forceinline__ float to_f(__half v) { return __half2float(v); }
template <typename T> __device__ __forceinline__ T from_f(float v);
template <> __device__ __forceinline__ float  from_f<float>(float v)  { return v; }
template <> __device__ __forceinline__ __half from_f<__half>(float v) { return __float2half(v); }

// all threads of the block get the sum
__device__ float2 block_sum2(float2 v)
{
    __shared__ float2 part[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int nwarps = blockDim.x / 32;

    for (int o = 16; o > 0; o >>= 1) {
        v.x += __shfl_xor_sync(0xffffffff, v.x, o);
        v.y += __shfl_xor_sync(0xffffffff, v.y, o);
    }
    if (lane == 0) part[warp] = v;
    __syncthreads();

    v = lane < nwarps ? part[lane] : make_float2(0.0f, 0.0f);
    for (int o = 16; o > 0; o >>= 1) {
        v.x += __shfl_xor_sync(0xffffffff, v.x, o);
        v.y += __shfl_xor_sync(0xffffffff, v.y, o);
    }
    return v;
}

#pragma cupilot optimize
#pragma cupilot workload(layer) set(rows = 8192, C = 4096, eps = 0.00001) in(inp[rows * C], gamma[C], beta[C]) out(out[rows * C]) launch(rows, 256)
#pragma cupilot workload(small) set(rows = 13, C = 771, eps = 0.00001) in(inp[rows * C], gamma[C], beta[C]) out(out[rows * C]) launch(rows, 128) check
template <typename T>
__global__ void layernorm_fwd(T *out, const T *inp, const float *gamma, const float *beta,
                              int rows, int C, float eps)
{
    const int row = blockIdx.x;
    const T *x = inp + row * C;

    float2 acc = make_float2(0.f, 0.f);
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        float v = to_f(x[c]);
        acc.x += v;
        acc.y += v * v;
    }
    acc = block_sum2(acc);

    const float mean = acc.x / C;
    const float var = acc.y / C - mean * mean;
    const float rstd = rsqrtf(fmaxf(var, 0.0f) + eps);

    T *o = out + row * C;
    for (int c = threadIdx.x; c < C; c += blockDim.x)
        o[c] = from_f<T>((to_f(x[c]) - mean) * rstd * gamma[c] + beta[c]);
}
template __global__ void layernorm_fwd<float>(float *, const float *, const float *, const float *, int, int, float);
template __global__ void layernorm_fwd<__half>(__half *, const __half *, const float *, const float *, int, int, float);

// Rotary position embedding, NeoX layout: element d is paired with d + hd/2.
// grid: x = token, y = head
#pragma cupilot optimize
#pragma cupilot workload(prefill) set(n_tokens = 4096, n_heads = 32, head_dim = 128, theta_base = 10000.0) inout(qk[n_tokens * n_heads * head_dim]) in(positions[n_tokens]) fill(positions = randint(0, 4095)) launch(dim3(n_tokens, n_heads), head_dim / 2)
#pragma cupilot workload(tiny) set(n_tokens = 5, n_heads = 3, head_dim = 48, theta_base = 10000.0) inout(qk[n_tokens * n_heads * head_dim]) in(positions[n_tokens]) fill(positions = randint(0, 100)) launch(dim3(n_tokens, n_heads), head_dim / 2) check
__global__ void rope_neox(float *qk, const int *positions, int n_tokens, int n_heads, int head_dim,
                          float theta_base)
{
    const int tok = blockIdx.x;
    const int head = blockIdx.y;
    const int d = threadIdx.x;
    const int half_dim = head_dim / 2;

    float *vec = qk + ((size_t)tok * n_heads + head) * head_dim;

    float freq = powf(theta_base, -2.0f * d / head_dim);
    float sn, cs;
    sincosf(positions[tok] * freq, &sn, &cs);

    const float x0 = vec[d];
    const float x1 = vec[d + half_dim];
    vec[d]            = x0 * cs - x1 * sn;
    vec[d + half_dim] = x0 * sn + x1 * cs;
}

#define TS 16

// S[h][i][j] = scale * <Q[h][i], K[h/group][j]>, masked causally.
#pragma cupilot optimize
#pragma cupilot workload(prefill) set(T = 1024, D = 128, nh = 16, group = 4, scale = 0.088388) in(Q[nh * T * D], K[(nh / group) * T * D]) out(S[nh * T * T]) launch(dim3((T + 15) / 16, (T + 15) / 16, nh), dim3(16, 16, 1))
#pragma cupilot workload(odd) set(T = 77, D = 40, nh = 4, group = 2, scale = 0.158) in(Q[nh * T * D], K[(nh / group) * T * D]) out(S[nh * T * T]) launch(dim3((T + 15) / 16, (T + 15) / 16, nh), dim3(16, 16, 1)) check
__global__ void attn_scores_causal(const __half *Q, const __half *K, float *S,
                                   int T, int D, int nh, int group, float scale)
{
    __shared__ float qs[TS][TS];
    __shared__ float ks[TS][TS + 1];

    const int h = blockIdx.z;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * TS + ty;         // query
    const int j = blockIdx.x * TS + tx;         // key
    const int jl = blockIdx.x * TS + ty;        // key row this thread loads

    const __half *q = Q + h * T * D;
    const __half *k = K + (h / group) * T * D;
    float dot = 0.0f;

    // tiles completely above the diagonal need no arithmetic
    if (blockIdx.x <= blockIdx.y) {
        for (int d0 = 0; d0 < D; d0 += TS) {
            const int d = d0 + tx;
            qs[ty][tx] = (i < T && d < D) ? __half2float(q[i * D + d]) : 0.0f;
            ks[ty][tx] = (jl < T && d < D) ? __half2float(k[jl * D + d]) : 0.0f;
            __syncthreads();
            for (int e = 0; e < TS; ++e)
                dot += qs[ty][e] * ks[tx][e];
            __syncthreads();
        }
    }

    if (i < T && j < T)
        S[(h * T + i) * T + j] = j <= i ? dot * scale : -10000.0f;
}

#define QK8 32

// Symmetric int8 quantisation in blocks of 32, one warp per block of values.
#pragma cupilot optimize
#pragma cupilot workload(act) set(n = 4096 * 4096) in(x[n]) out(q[n], d[n / 32]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 32 * 101) in(x[n]) out(q[n], d[n / 32]) launch((n + 255) / 256, 256) check
__global__ void quantize_q8_blocks(const float *__restrict__ x, signed char *__restrict__ q,
                                   __half *__restrict__ d, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;             // n is a multiple of 32

    const float v = x[i];
    float amax = fabsf(v);
#pragma unroll
    for (int o = QK8 / 2; o > 0; o >>= 1)
        amax = fmaxf(amax, __shfl_xor_sync(0xffffffff, amax, o, QK8));

    const float scale = amax / 127.0f;
    q[i] = amax == 0.0f ? 0 : (signed char)roundf(v / scale);

    if (i % QK8 == 0)
        d[i / QK8] = __float2half(scale);
}
//= softmax_rows: lifted
//= layernorm_fwd.float: what is written here is no sum or maximum over the block
//= layernorm_fwd.__half: what is written here is no sum or maximum over the block
//= rope_neox: threads do not work apart from each other: iterations read elements of 'qk' that others write
//= attn_scores_causal: threads exchange values under a condition that depends on more than their indices
//= quantize_q8_blocks: what is written here is no sum or maximum over the block
