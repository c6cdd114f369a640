// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <cuda_runtime.h>

// ---------------------------------------------------------------------------
// conv2d 3x3, stride 1, padding 1. Shared memory holds one input channel of the
// block's tile plus its halo.
// ---------------------------------------------------------------------------
#define TILE 16
#define KS 3
#define HALO (TILE + KS - 1)

#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 16, Cin = 16, Cout = 32, H = 256, W = 256) in(input[1 << 26]) in(weight[1 \
    << 26]) in(bias[1 << 26]) inout(output[1 << 26]) launch(dim3((W + 16 - 1) / 16, (H + 16 - 1) / 16, N * Cout), dim3(16, 16))
__global__ void conv2d_3x3_tiled(const float* __restrict__ input,
                                 const float* __restrict__ weight,
                                 const float* __restrict__ bias,
                                 float* __restrict__ output,
                                 int N, int Cin, int Cout, int H, int W)
{
    __shared__ float s_in[HALO][HALO];
    __shared__ float s_w[KS * KS];

    const int n  = blockIdx.z / Cout;
    const int oc = blockIdx.z % Cout;
    const int x0 = blockIdx.x * TILE;
    const int y0 = blockIdx.y * TILE;
    const int ox = x0 + threadIdx.x;
    const int oy = y0 + threadIdx.y;
    const int tid = threadIdx.y * TILE + threadIdx.x;

    float sum = bias[oc];

    for (int ic = 0; ic < Cin; ++ic) {
        const float* plane = input + ((size_t)n * Cin + ic) * H * W;

        for (int i = tid; i < HALO * HALO; i += TILE * TILE) {
            const int ly = i / HALO;
            const int lx = i % HALO;
            const int gy = y0 + ly - 1;
            const int gx = x0 + lx - 1;
            s_in[ly][lx] = (gy >= 0 && gy < H && gx >= 0 && gx < W) ? plane[gy * W + gx] : 0.0f;
        }
        if (tid < KS * KS)
            s_w[tid] = weight[(oc * Cin + ic) * KS * KS + tid];
        __syncthreads();

#pragma unroll
        for (int ky = 0; ky < KS; ++ky)
#pragma unroll
            for (int kx = 0; kx < KS; ++kx)
                sum += s_in[threadIdx.y + ky][threadIdx.x + kx] * s_w[ky * KS + kx];
        __syncthreads();
    }

    if (ox < W && oy < H)
        output[(((size_t)n * Cout + oc) * H + oy) * W + ox] = sum;
}

// ---------------------------------------------------------------------------
// Depthwise 5x5 Gaussian blur, the same filter for each channel, edges clamped.
// ---------------------------------------------------------------------------
__constant__ float c_gauss5[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

#define IDX2(y, x, pitch) ((y) * (pitch) + (x))

__device__ inline int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

#pragma cupilot optimize
#pragma cupilot workload(timed) set(planes = 128, height = 512, width = 512) in(src[1 << 26]) inout(dst[1 << 26]) \
    launch(dim3((width + 31) / 32, (height + 7) / 8, planes), dim3(32, 8))
__global__ void depthwise_gauss5x5(const float* src, float* dst, int planes, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    const float* s = src + (size_t)blockIdx.z * height * width;
    float* d = dst + (size_t)blockIdx.z * height * width;

    float sum = 0.0f;
    for (int j = -2; j <= 2; j++) {
        int yy = clampi(y + j, 0, height - 1);
        float rowsum = 0.0f;
        for (int i = -2; i <= 2; i++) {
            int xx = clampi(x + i, 0, width - 1);
            rowsum += c_gauss5[i + 2] * s[IDX2(yy, xx, width)];
        }
        sum += c_gauss5[j + 2] * rowsum;
    }
    d[IDX2(y, x, width)] = sum;
}

// ---------------------------------------------------------------------------
// conv3d, direct, any kernel size / stride / padding
// ---------------------------------------------------------------------------
#define CUDA_KERNEL_LOOP(i, n) \
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

#pragma cupilot optimize
#pragma cupilot workload(timed) set(total = 16777216, Ci = 8, Co = 8, D = 64, H = 64, W = 64, Do = 64, Ho = 64, Wo \
    = 64, KD = 3, KH = 3, KW = 3, stride = 1, padding = 1) in(x[1 << 26]) in(w[1 << 26]) inout(y[1 << 26]) launch((total + 255) / 256, 256)
__global__ void conv3d_direct(const float* x, const float* w, float* y, int total,
                              int Ci, int Co, int D, int H, int W, int Do, int Ho, int Wo,
                              int KD, int KH, int KW, int stride, int padding)
{
    CUDA_KERNEL_LOOP(idx, total) {
        int ow = idx % Wo;
        int oh = (idx / Wo) % Ho;
        int od = (idx / (Wo * Ho)) % Do;
        int co = (idx / (Wo * Ho * Do)) % Co;
        int n  = idx / (Wo * Ho * Do * Co);

        float acc = 0.0f;
        for (int ci = 0; ci < Ci; ci++) {
            for (int kd = 0; kd < KD; kd++) {
                int id = od * stride - padding + kd;
                if (id < 0 || id >= D) continue;
                for (int kh = 0; kh < KH; kh++) {
                    int ih = oh * stride - padding + kh;
                    if (ih < 0 || ih >= H) continue;
                    for (int kw = 0; kw < KW; kw++) {
                        int iw = ow * stride - padding + kw;
                        if (iw < 0 || iw >= W) continue;
                        acc += x[(((n * Ci + ci) * D + id) * H + ih) * W + iw]
                             * w[(((co * Ci + ci) * KD + kd) * KH + kh) * KW + kw];
                    }
                }
            }
        }
        y[idx] = acc;
    }
}

// ---------------------------------------------------------------------------
// pointwise (1x1) convolution. A thread makes OC_PER_THREAD output channels of
// one pixel; the weights of those channels sit in shared memory.
// ---------------------------------------------------------------------------
static constexpr int OC_PER_THREAD = 8;

#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 16, C_in = 64, C_out = 128, HW = 16384) in(in[1 << 26]) in(filt[1 << 26]) \
    inout(out[1 << 26]) launch(dim3((HW + 255) / 256, (C_out + 8 - 1) / 8, N), 256, 8 * C_in * 4)
__global__ void pointwise_conv_kernel(const float* __restrict__ in, const float* __restrict__ filt,
                                      float* __restrict__ out, int N, int C_in, int C_out, int HW)
{
    extern __shared__ float wsh[];    // [OC_PER_THREAD][C_in]

    const int oc0 = blockIdx.y * OC_PER_THREAD;
    for (int i = threadIdx.x; i < OC_PER_THREAD * C_in; i += blockDim.x) {
        const int oc = oc0 + i / C_in;
        wsh[i] = oc < C_out ? filt[oc * C_in + i % C_in] : 0.f;
    }
    __syncthreads();

    const int pix = blockIdx.x * blockDim.x + threadIdx.x;
    if (pix >= HW) return;

    const float* src = in + (size_t)blockIdx.z * C_in * HW + pix;
    float acc[OC_PER_THREAD];
#pragma unroll
    for (int o = 0; o < OC_PER_THREAD; ++o) acc[o] = 0.f;

    for (int ic = 0; ic < C_in; ++ic) {
        const float v = src[(size_t)ic * HW];
#pragma unroll
        for (int o = 0; o < OC_PER_THREAD; ++o)
            acc[o] = fmaf(v, wsh[o * C_in + ic], acc[o]);
    }

    float* dst = out + ((size_t)blockIdx.z * C_out + oc0) * HW + pix;
#pragma unroll
    for (int o = 0; o < OC_PER_THREAD; ++o)
        if (oc0 + o < C_out)
            dst[(size_t)o * HW] = acc[o];
}

// ---------------------------------------------------------------------------
// ConvTranspose1d as a gather. weight: [in_channels, out_channels, kernel]
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(batch = 16, in_channels = 32, out_channels = 32, in_len = 32768, out_len = \
    65536, kernel_size = 4, stride = 2, padding = 1, dilation = 1) in(input[1 << 26]) in(weight[1 << 26]) in(bias[1 << 26]) inout(output[1 << 26]) launch(dim3((out_len + 127) / 128, out_channels, batch), 128)
template <typename scalar_t>
__global__ void conv_transpose1d_kernel(
    const scalar_t* __restrict__ input,
    const scalar_t* __restrict__ weight,
    const scalar_t* __restrict__ bias,
    scalar_t* __restrict__ output,
    const int batch, const int in_channels, const int out_channels,
    const int in_len, const int out_len,
    const int kernel_size, const int stride, const int padding, const int dilation)
{
    const int ol = blockIdx.x * blockDim.x + threadIdx.x;
    const int oc = blockIdx.y;
    const int b = blockIdx.z;
    if (ol >= out_len) return;

    scalar_t value = bias != nullptr ? bias[oc] : scalar_t(0);

    for (int k = 0; k < kernel_size; ++k) {
        const int t = ol + padding - k * dilation;
        if (t < 0 || t % stride != 0) continue;
        const int il = t / stride;
        if (il >= in_len) continue;
        for (int ic = 0; ic < in_channels; ++ic) {
            value += input[((size_t)b * in_channels + ic) * in_len + il] *
                     weight[(ic * out_channels + oc) * kernel_size + k];
        }
    }

    output[((size_t)b * out_channels + oc) * out_len + ol] = value;
}

template __global__ void conv_transpose1d_kernel<float>(
    const float* __restrict__ input,
    const float* __restrict__ weight,
    const float* __restrict__ bias,
    float* __restrict__ output,
    const int batch, const int in_channels, const int out_channels,
    const int in_len, const int out_len,
    const int kernel_size, const int stride, const int padding, const int dilation);
//= conv2d_3x3_tiled: which thread fills which element of 's_w' is not known
//= depthwise_gauss5x5: lifted
//= conv3d_direct: lifted
//= pointwise_conv_kernel: lifted
//= conv_transpose1d_kernel.float: lifted
