// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
// Pooling forward kernels, contiguous NC(D)(H)W tensors.
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>

// MaxPool1d with dilation. grid = (ceil(L_out/256), C, N)
#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 16, C = 64, L = 32768, L_out = 32755, kernel_size = 8, stride = 1, padding \
    = 4, dilation = 3) in(input[1 << 26]) inout(output[1 << 26]) launch(dim3((L_out + 255) / 256, C, N), 256)
__global__ void max_pool1d_kernel(const float* input, float* output,
                                  int N, int C, int L, int L_out,
                                  int kernel_size, int stride, int padding, int dilation)
{
    int ol = blockIdx.x * blockDim.x + threadIdx.x;
    int c = blockIdx.y;
    int n = blockIdx.z;
    if (ol >= L_out) return;

    const float* in_row = input + (n * C + c) * L;

    float best = -INFINITY;
    for (int k = 0; k < kernel_size; k++) {
        int il = ol * stride - padding + k * dilation;
        if (il >= 0 && il < L) {
            best = max(best, in_row[il]);
        }
    }
    output[(n * C + c) * L_out + ol] = best;
}

// MaxPool2d 3x3 / stride 2 / pad 1 as in ResNet; also returns the flat index of
// the maximum inside the plane (needed by the backward pass).
#define POOL_K 3
#define POOL_S 2
#define POOL_P 1

#pragma cupilot optimize
#pragma cupilot workload(timed) set(planes = 1024, H = 224, W = 224, OH = 112, OW = 112) in(src[1 << 26]) \
    inout(dst[1 << 26]) inout(indices[1 << 26]) launch(dim3((OW + 31) / 32, (OH + 7) / 8, planes), dim3(32, 8, 1))
__global__ void maxpool2d_with_indices(const float* __restrict__ src,
                                       float* __restrict__ dst,
                                       int* __restrict__ indices,
                                       const int planes, const int H, const int W,
                                       const int OH, const int OW)
{
    const int ox = blockIdx.x * blockDim.x + threadIdx.x;
    const int oy = blockIdx.y * blockDim.y + threadIdx.y;
    const int p  = blockIdx.z;
    if (ox >= OW || oy >= OH || p >= planes)
        return;

    const float* plane = src + (size_t)p * H * W;

    const int y0 = max(oy * POOL_S - POOL_P, 0);
    const int x0 = max(ox * POOL_S - POOL_P, 0);
    const int y1 = min(oy * POOL_S - POOL_P + POOL_K, H);
    const int x1 = min(ox * POOL_S - POOL_P + POOL_K, W);

    float m = -FLT_MAX;
    int arg = y0 * W + x0;
    for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
            const float v = __ldg(plane + y * W + x);
            if (v > m) {
                m = v;
                arg = y * W + x;
            }
        }
    }

    const size_t o = ((size_t)p * OH + oy) * OW + ox;
    dst[o] = m;
    indices[o] = arg;
}

// MaxPool3d, cubic window, flat grid-stride loop over the outputs
#pragma cupilot optimize
#pragma cupilot workload(timed) set(batch = 8, channels = 16, in_d = 64, in_h = 64, in_w = 64, out_d = 32, out_h = \
    32, out_w = 32, kernel = 3, stride = 2, pad = 1, dilation = 1) in(in[1 << 26]) inout(out[1 << 26]) launch(2048, 256)
__global__ void max_pool3d_forward(const float* in, float* out,
                                   int batch, int channels,
                                   int in_d, int in_h, int in_w,
                                   int out_d, int out_h, int out_w,
                                   int kernel, int stride, int pad, int dilation)
{
    const long total = (long)batch * channels * out_d * out_h * out_w;

    for (long idx = (long)blockIdx.x * blockDim.x + threadIdx.x; idx < total;
         idx += (long)gridDim.x * blockDim.x) {
        long t = idx;
        const int ow = t % out_w; t /= out_w;
        const int oh = t % out_h; t /= out_h;
        const int od = t % out_d; t /= out_d;
        // t is now n * channels + c
        const float* vol = in + t * in_d * in_h * in_w;

        float maxval = -INFINITY;
        for (int kd = 0; kd < kernel; ++kd) {
            const int id = od * stride - pad + kd * dilation;
            if (id < 0 || id >= in_d) continue;
            for (int kh = 0; kh < kernel; ++kh) {
                const int ih = oh * stride - pad + kh * dilation;
                if (ih < 0 || ih >= in_h) continue;
                for (int kw = 0; kw < kernel; ++kw) {
                    const int iw = ow * stride - pad + kw * dilation;
                    if (iw < 0 || iw >= in_w) continue;
                    maxval = fmaxf(maxval, vol[(id * in_h + ih) * in_w + iw]);
                }
            }
        }
        out[idx] = maxval;
    }
}

// AvgPool2d
struct Window {
    int begin, end;      // clipped to the input
    int padded;          // size when the padding is counted
};

__device__ __forceinline__ Window make_window(int o, int k, int s, int p, int size)
{
    Window w;
    int b = o * s - p;
    int e = min(b + k, size + p);
    w.padded = e - b;
    w.begin = max(b, 0);
    w.end = min(e, size);
    return w;
}

#pragma cupilot optimize
#pragma cupilot workload(timed) set(nthreads = 8388608, height = 256, width = 256, pooled_h = 128, pooled_w = 128, \
    ksize = 4, stride = 2, pad = 1) in(bottom[1 << 26]) inout(top[1 << 26]) launch((nthreads + 255) / 256, 256)
template <typename scalar_t, bool COUNT_INCLUDE_PAD>
__global__ void avg_pool2d_out(const int nthreads, const scalar_t* const bottom, scalar_t* const top,
                               const int height, const int width,
                               const int pooled_h, const int pooled_w,
                               const int ksize, const int stride, const int pad)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < nthreads) {
        const int pw = index % pooled_w;
        const int ph = (index / pooled_w) % pooled_h;
        const int nc = index / pooled_w / pooled_h;

        const Window wh = make_window(ph, ksize, stride, pad, height);
        const Window ww = make_window(pw, ksize, stride, pad, width);

        const scalar_t* slice = bottom + (size_t)nc * height * width;
        scalar_t aveval = 0;
        for (int h = wh.begin; h < wh.end; ++h)
            for (int w = ww.begin; w < ww.end; ++w)
                aveval += slice[h * width + w];

        int divide_factor;
        if (COUNT_INCLUDE_PAD)
            divide_factor = wh.padded * ww.padded;
        else
            divide_factor = (wh.end - wh.begin) * (ww.end - ww.begin);
        top[index] = aveval / divide_factor;
    }
}

// AvgPool1d. Each block stages the input span of its 256 outputs in shared memory.
// Zero outside, so the sum never needs a bounds check.
constexpr int AP_BLOCK = 256;

#pragma cupilot optimize
#pragma cupilot workload(timed) set(rows = 1024, Lin = 32768, Lout = 16384, K = 8, stride = 2, pad = 3, \
    count_include_pad = 0) in(x[1 << 26]) inout(y[1 << 26]) launch(dim3((Lout + 256 - 1) / 256, rows), 256, ((256 - 1) * stride + K) * 4)
__global__ void avg_pool1d_smem(const float* __restrict__ x, float* __restrict__ y,
                                int rows, int Lin, int Lout,
                                int K, int stride, int pad, int count_include_pad)
{
    extern __shared__ float span[];

    const int row    = blockIdx.y;
    const int first  = blockIdx.x * AP_BLOCK;         // first output of this block
    const int start  = first * stride - pad;          // input position of span[0]
    const int length = (AP_BLOCK - 1) * stride + K;

    const float* xr = x + (size_t)row * Lin;
    for (int i = threadIdx.x; i < length; i += AP_BLOCK) {
        const int pos = start + i;
        span[i] = (pos >= 0 && pos < Lin) ? xr[pos] : 0.0f;
    }
    __syncthreads();

    const int o = first + threadIdx.x;
    if (o < Lout) {
        float s = 0.0f;
        for (int k = 0; k < K; ++k)
            s += span[threadIdx.x * stride + k];

        int cnt = K;
        if (!count_include_pad) {
            const int lo = max(o * stride - pad, 0);
            const int hi = min(o * stride - pad + K, Lin);
            cnt = hi - lo;
        }
        y[(size_t)row * Lout + o] = s / cnt;
    }
}

template __global__ void avg_pool2d_out<float, true>(const int nthreads, const float* const bottom, float* const top,
                               const int height, const int width,
                               const int pooled_h, const int pooled_w,
                               const int ksize, const int stride, const int pad);
//= max_pool1d_kernel: lifted
//= maxpool2d_with_indices: lifted
//= max_pool3d_forward: lifted
//= avg_pool2d_out.float.true: lifted
//= avg_pool1d_smem: lifted
