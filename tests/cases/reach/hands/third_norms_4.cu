// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Templated kernels
#include <cuda_runtime.h>
#include <cfloat>
#include <cstddef>

namespace {

template <typename T>
__device__ __forceinline__ T tmax(T a, T b) { return a > b ? a : b; }

__device__ __forceinline__ float  dev_exp(float v)  { return expf(v); }
__device__ __forceinline__ double dev_exp(double v) { return exp(v); }
__device__ __forceinline__ float  dev_log(float v)  { return logf(v); }

} // namespace

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 4096, dim = 16384) in(in_ptr[batch * dim]) out(out_ptr[batch * dim]) launch(batch, 256)
#pragma cupilot workload(small) set(batch = 9, dim = 100) in(in_ptr[batch * dim]) out(out_ptr[batch * dim]) launch(batch, 256) check
template <typename T, int BLOCK>
__global__ void log_softmax_kernel(const T *__restrict__ in_ptr, T *__restrict__ out_ptr, int batch, int dim)
{
    __shared__ T buf[BLOCK];
    const int row = blockIdx.x;
    const int tid = threadIdx.x;
    if (row >= batch) return;

    const T *src = in_ptr + static_cast<size_t>(row) * dim;
    T *dst = out_ptr + static_cast<size_t>(row) * dim;

    T m = static_cast<T>(-FLT_MAX);
    for (int c = tid; c < dim; c += BLOCK)
        m = tmax(m, src[c]);
    buf[tid] = m;
    __syncthreads();
#pragma unroll
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) buf[tid] = tmax(buf[tid], buf[tid + s]);
        __syncthreads();
    }
    const T row_max = buf[0];
    __syncthreads();

    T sum = T(0);
    for (int c = tid; c < dim; c += BLOCK)
        sum += dev_exp(src[c] - row_max);
    buf[tid] = sum;
    __syncthreads();
#pragma unroll
    for (int s = BLOCK / 2; s > 0; s /= 2) {
        if (tid < s) buf[tid] += buf[tid + s];
        __syncthreads();
    }
    const T lse = row_max + dev_log(buf[0]);

    for (int c = tid; c < dim; c += BLOCK)
        dst[c] = src[c] - lse;
}
template __global__ void log_softmax_kernel<float, 256>(const float *, float *, int, int);

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 23) in(x[n]) out(y[n]) launch(1024, 512)
#pragma cupilot workload(small) set(n = 3001) in(x[n]) out(y[n]) launch(4, 512) check
template <typename T>
__global__ void swish_kernel(const T *x, T *y, size_t n)
{
    const size_t step = size_t(blockDim.x) * gridDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    {
        const T v = x[i];
        y[i] = v / (T(1) + dev_exp(-v));
    }
}
template __global__ void swish_kernel<double>(const double *, double *, size_t);

#pragma cupilot optimize
#pragma cupilot workload(large) set(numel = 1 << 24) in(data[numel]) out(result[numel]) launch((numel + 1023) / 1024, 256)
#pragma cupilot workload(small) set(numel = 12345) in(data[numel]) out(result[numel]) launch((numel + 1023) / 1024, 256) check
template <bool TANH_APPROX, int VEC>
__global__ void gelu_kernel(const float *data, float *result, unsigned int numel)
{
    // each thread works on VEC consecutive elements
    unsigned int start = (blockIdx.x * blockDim.x + threadIdx.x) * VEC;
#pragma unroll
    for (int v = 0; v < VEC; ++v) {
        unsigned int i = start + v;
        if (i < numel) {
            float t = data[i];
            float cdf;
            if (TANH_APPROX)
                cdf = 0.5f * (1.0f + tanhf(0.7978845608f * (t + 0.044715f * t * t * t)));
            else
                cdf = 0.5f * (1.0f + erff(t * 0.70710678118f));
            result[i] = t * cdf;
        }
    }
}
template __global__ void gelu_kernel<false, 4>(const float *, float *, unsigned int);

// block tile BM x BN, thread tile TM x TN
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 2048, N = 4096, K = 1024) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 63) / 64, (M + 63) / 64), 256)
#pragma cupilot workload(ragged) set(M = 130, N = 77, K = 45) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 63) / 64, (M + 63) / 64), 256) check
template <int BM, int BN, int BK, int TM, int TN>
__global__ void sgemm_thread_tile(const float *__restrict__ A, const float *__restrict__ B,
                                  float *__restrict__ C, int M, int N, int K)
{
    constexpr int THREADS = (BM / TM) * (BN / TN);
    __shared__ float As[BK][BM];
    __shared__ float Bs[BK][BN];

    const int tid = threadIdx.x;
    const int tcol = tid % (BN / TN);
    const int trow = tid / (BN / TN);
    const int rowBase = blockIdx.y * BM;
    const int colBase = blockIdx.x * BN;

    float acc[TM][TN] = {};
    float ra[TM], rb[TN];

    for (int kb = 0; kb < K; kb += BK) {
        for (int i = tid; i < BM * BK; i += THREADS) {
            const int r = i / BK, c = i % BK;
            As[c][r] = (rowBase + r < M && kb + c < K) ? A[(rowBase + r) * K + kb + c] : 0.f;
        }
        for (int i = tid; i < BK * BN; i += THREADS) {
            const int r = i / BN, c = i % BN;
            Bs[r][c] = (kb + r < K && colBase + c < N) ? B[(kb + r) * N + colBase + c] : 0.f;
        }
        __syncthreads();

#pragma unroll
        for (int k = 0; k < BK; ++k) {
#pragma unroll
            for (int i = 0; i < TM; ++i) ra[i] = As[k][trow * TM + i];
#pragma unroll
            for (int j = 0; j < TN; ++j) rb[j] = Bs[k][tcol * TN + j];
#pragma unroll
            for (int i = 0; i < TM; ++i)
#pragma unroll
                for (int j = 0; j < TN; ++j)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < TM; ++i) {
        const int r = rowBase + trow * TM + i;
        if (r >= M) break;
#pragma unroll
        for (int j = 0; j < TN; ++j) {
            const int c = colBase + tcol * TN + j;
            if (c < N) C[r * N + c] = acc[i][j];
        }
    }
}
template __global__ void sgemm_thread_tile<64, 64, 8, 4, 4>(const float *, const float *, float *, int, int, int);

template <int NT>
__device__ float reduce_add(float val)
{
    __shared__ float part[NT / 32];
#pragma unroll
    for (int o = 16; o; o >>= 1)
        val += __shfl_xor_sync(0xffffffff, val, o);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = val;
    __syncthreads();
    float r = 0.f;
#pragma unroll
    for (int w = 0; w < NT / 32; ++w) r += part[w];
    __syncthreads();
    return r;
}

// one block per (channel, image)
#pragma cupilot optimize
#pragma cupilot workload(large) set(C = 64, HW = 65536, eps = 1e-5) in(x[16 * C * HW]) out(y[16 * C * HW]) launch(dim3(C, 16), 512)
#pragma cupilot workload(small) set(C = 5, HW = 1023, eps = 1e-5) in(x[2 * C * HW]) out(y[2 * C * HW]) launch(dim3(C, 2), 512) check
template <typename scalar_t, int NT>
__global__ void instance_norm_kernel(const scalar_t *x, scalar_t *y, int C, int HW, float eps)
{
    const size_t plane = (size_t)blockIdx.y * C + blockIdx.x;
    const scalar_t *px = x + plane * HW;
    scalar_t *py = y + plane * HW;

    float sum = 0.f;
    for (int i = threadIdx.x; i < HW; i += NT) sum += (float)px[i];
    const float mean = reduce_add<NT>(sum) / HW;

    float var = 0.f;
    for (int i = threadIdx.x; i < HW; i += NT) {
        const float d = (float)px[i] - mean;
        var += d * d;
    }
    var = reduce_add<NT>(var) / HW;

    const float inv_std = 1.f / sqrtf(var + eps);
    for (int i = threadIdx.x; i < HW; i += NT)
        py[i] = (scalar_t)(((float)px[i] - mean) * inv_std);
}
template __global__ void instance_norm_kernel<float, 512>(const float *, float *, int, int, float);
//= log_softmax_kernel.float.256: the iterations of this loop, which threads share, need each other: 'm' takes NaN over and loses it again: write fmax or fmin, or promise assume(finite(...)) of what is read
//= swish_kernel.double: lifted
//= gelu_kernel.false.4: lifted
//= sgemm_thread_tile.64.64.8.4.4: lifted
//= instance_norm_kernel.float.512: lifted
