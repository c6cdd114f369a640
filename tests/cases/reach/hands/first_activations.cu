// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
// Elementwise activations.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cstdint>
#include <cstddef>
#include <math.h>

// ---------------------------------------------------------------------------
// GELU (tanh approximation), 4 floats per thread.
// ---------------------------------------------------------------------------
__device__ __forceinline__ float gelu_tanh(float v)
{
    const float k0 = 0.7978845608028654f;   // sqrt(2/pi)
    const float k1 = 0.044715f;
    return 0.5f * v * (1.0f + tanhf(k0 * (v + k1 * v * v * v)));
}

// Pointers must be 16-byte aligned (they come straight from cudaMalloc).
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 33554432) in(x[1 << 26]) inout(y[1 << 26]) launch(((n + 3) / 4 + 255) / \
    256, 256)
__global__ void gelu_vec4_kernel(const float* __restrict__ x, float* __restrict__ y, int n)
{
    const int i  = blockIdx.x * blockDim.x + threadIdx.x;
    const int n4 = n / 4;

    if (i < n4) {
        float4 v = reinterpret_cast<const float4*>(x)[i];
        v.x = gelu_tanh(v.x);
        v.y = gelu_tanh(v.y);
        v.z = gelu_tanh(v.z);
        v.w = gelu_tanh(v.w);
        reinterpret_cast<float4*>(y)[i] = v;
    }

    // last 0..3 elements
    const int tail = n4 * 4 + i;
    if (i < 3 && tail < n)
        y[tail] = gelu_tanh(x[tail]);
}

// ---------------------------------------------------------------------------
// Swish / SiLU in half precision. Math is done in float.
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 67108864) inout(out[1 << 26]) in(in[1 << 26]) launch(((n + 1) / 2 + 255) / \
    256, 256)
__global__ void silu_half2(__half* out, const __half* in, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int pos = 2 * idx;
    if (pos + 1 < n) {
        __half2 h = *reinterpret_cast<const __half2*>(in + pos);
        float2 f = __half22float2(h);
        f.x = f.x / (1.0f + __expf(-f.x));
        f.y = f.y / (1.0f + __expf(-f.y));
        *reinterpret_cast<__half2*>(out + pos) = __float22half2_rn(f);
    } else if (pos < n) {
        float f = __half2float(in[pos]);
        out[pos] = __float2half(f / (1.0f + __expf(-f)));
    }
}

// ---------------------------------------------------------------------------
// Leaky ReLU, grid-stride loop
// ---------------------------------------------------------------------------
struct LeakyReLU {
    float slope;
    __device__ explicit LeakyReLU(float s) : slope(s) {}
    __device__ float operator()(float v) const { return v > 0.0f ? v : slope * v; }
};

#pragma cupilot optimize
#pragma cupilot workload(timed) set(size = 50331648, negative_slope = 1) inout(out[1 << 26]) in(in[1 << 26]) \
    launch(1056, 256)
__global__ void leaky_relu_kernel(float* out, const float* in, float negative_slope, size_t size)
{
    LeakyReLU f(negative_slope);
    size_t stride = (size_t)blockDim.x * gridDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) {
        out[i] = f(in[i]);
    }
}

// ---------------------------------------------------------------------------
// Generic unary op, UNROLL elements per thread strided by the block size.
// ---------------------------------------------------------------------------
struct EluOp {
    template <typename T>
    static __device__ __forceinline__ T apply(T v) {
        return v > T(0) ? v : static_cast<T>(expm1f(static_cast<float>(v)));
    }
};

struct SeluOp {
    template <typename T>
    static __device__ __forceinline__ T apply(T v) {
        const float alpha = 1.6732632423543772f;
        const float scale = 1.0507009873554805f;
        float f = static_cast<float>(v);
        return static_cast<T>(scale * (f > 0.f ? f : alpha * expm1f(f)));
    }
};

#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 33554432) in(input[1 << 26]) inout(output[1 << 26]) launch((n + 1023) / \
    1024, 256)
template <typename T, typename Op, int UNROLL>
__global__ void unary_op_kernel(const T* __restrict__ input, T* __restrict__ output, int n)
{
    int base = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;

#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        int i = base + u * blockDim.x;
        if (i < n)
            output[i] = Op::apply(input[i]);
    }
}

// ---------------------------------------------------------------------------
// Softplus, double, 64 bit sizes (same definition as torch.nn.Softplus)
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(numel = 16777216, beta = 1, threshold = 1) in(src[1 << 26]) inout(dst[1 << 26]) \
    launch((numel + 511) / 512, 512)
__global__ void softplus_f64(const double* src, double* dst, int64_t numel, double beta, double threshold)
{
    int64_t gid = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (gid >= numel) return;

    double v  = src[gid];
    double bv = beta * v;
    if (bv > threshold)
        dst[gid] = v;
    else
        dst[gid] = log1p(exp(bv)) / beta;
}

template __global__ void unary_op_kernel<float, SeluOp, 4>(const float* __restrict__ input, float* __restrict__ output, int n);
//= gelu_vec4_kernel: lifted
//= silu_half2: lifted
//= leaky_relu_kernel: 'construct' is not known here
//= unary_op_kernel.float.SeluOp.4: lifted
//= softplus_f64: lifted
