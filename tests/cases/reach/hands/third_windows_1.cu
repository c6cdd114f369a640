// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Pooling kernels (max / average, 1D / 2D / 3D). Layout is N, C, spatial...
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <float.h>
#include <math.h>

// MaxPool2d, one thread per output element.
#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 16, channels = 32, height = 128, width = 128, out_h = 64, out_w = 64, ksize = 2, stride = 2, padding = 1, dilation = 3) in(input[batch * channels * height * width]) out(output[batch * channels * out_h * out_w]) launch((batch * channels * out_h * out_w + 255) / 256, 256)
#pragma cupilot workload(small) set(batch = 2, channels = 3, height = 37, width = 29, out_h = 19, out_w = 15, ksize = 3, stride = 2, padding = 1, dilation = 1) in(input[batch * channels * height * width]) out(output[batch * channels * out_h * out_w]) launch((batch * channels * out_h * out_w + 255) / 256, 256) check
__global__ void maxpool2d_forward(const float* __restrict__ input, float* __restrict__ output,
                                  int batch, int channels, int height, int width,
                                  int out_h, int out_w,
                                  int ksize, int stride, int padding, int dilation)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int total = batch * channels * out_h * out_w;
    if (idx >= total) return;

    int ow = idx % out_w;
    int oh = (idx / out_w) % out_h;
    int c  = (idx / (out_w * out_h)) % channels;
    int n  = idx / (out_w * out_h * channels);

    float best = -FLT_MAX;
    for (int kh = 0; kh < ksize; ++kh) {
        int ih = oh * stride - padding + kh * dilation;
        if (ih < 0 || ih >= height) continue;
        for (int kw = 0; kw < ksize; ++kw) {
            int iw = ow * stride - padding + kw * dilation;
            if (iw < 0 || iw >= width) continue;
            float v = input[((n * channels + c) * height + ih) * width + iw];
            if (v > best) best = v;
        }
    }
    output[idx] = best;
}

// AvgPool1d with count_include_pad=True; x over the output length, y over N*C.
#define IN1(r, p)  in[(size_t)(r) * L + (p)]
#define OUT1(r, p) out[(size_t)(r) * Lout + (p)]

#pragma cupilot optimize
#pragma cupilot workload(main) set(rows = 2048, L = 4096, Lout = 4095, k = 4, s = 1, pad = 1) in(in[rows * L]) out(out[rows * Lout]) launch(dim3((Lout + 127) / 128, rows), dim3(128, 1))
#pragma cupilot workload(tiny) set(rows = 7, L = 130, Lout = 44, k = 5, s = 3, pad = 2) in(in[rows * L]) out(out[rows * Lout]) launch(dim3((Lout + 127) / 128, rows), dim3(128, 1)) check
__global__ void avg_pool1d(const float *in, float *out, int rows, int L, int Lout, int k, int s, int pad)
{
    const int o = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = blockIdx.y * blockDim.y + threadIdx.y;

    if (o < Lout && r < rows) {
        float acc = 0.0f;
        int start = o * s - pad;
        for (int j = 0; j < k; j++) {
            int p = start + j;
            acc += (p >= 0 && p < L) ? IN1(r, p) : 0.0f;
        }
        OUT1(r, o) = acc / k;
    }
}

// MaxPool3d, cubic window known at compile time, grid-stride over all outputs.
#pragma cupilot optimize
#pragma cupilot workload(vol) set(NC = 128, D = 64, H = 64, W = 64, OD = 31, OH = 31, OW = 31, stride = 2, pad = 1, dil = 2) in(src[NC * D * H * W]) out(dst[NC * OD * OH * OW]) launch(1056, 256)
#pragma cupilot workload(odd) set(NC = 3, D = 11, H = 13, W = 17, OD = 6, OH = 7, OW = 9, stride = 2, pad = 1, dil = 1) in(src[NC * D * H * W]) out(dst[NC * OD * OH * OW]) launch(4, 256) check
template <int K>
__global__ void max_pool3d_gs(const float *src, float *dst, unsigned NC,
                              int D, int H, int W, int OD, int OH, int OW,
                              int stride, int pad, int dil)
{
    const unsigned total = NC * OD * OH * OW;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        unsigned t = i;
        const int ow = t % OW; t /= OW;
        const int oh = t % OH; t /= OH;
        const int od = t % OD; t /= OD;
        const float *vol = src + (size_t)t * D * H * W;

        float m = -INFINITY;
#pragma unroll
        for (int a = 0; a < K; ++a) {
            const int z = od * stride - pad + a * dil;
#pragma unroll
            for (int b = 0; b < K; ++b) {
                const int y = oh * stride - pad + b * dil;
#pragma unroll
                for (int c = 0; c < K; ++c) {
                    const int x = ow * stride - pad + c * dil;
                    const bool ok = z >= 0 && z < D && y >= 0 && y < H && x >= 0 && x < W;
                    if (ok) m = fmaxf(m, vol[(z * H + y) * W + x]);
                }
            }
        }
        dst[i] = m;
    }
}
template __global__ void max_pool3d_gs<3>(const float *, float *, unsigned, int, int, int, int, int, int, int, int, int);

// fp16 AvgPool2d, no padding. 3-D grid: (ow, oh, n*c).
#pragma cupilot optimize
#pragma cupilot workload(big) set(planes = 1024, ih = 256, iw = 256, oh = 85, ow = 85, win = 3) in(x[planes * ih * iw]) out(y[planes * oh * ow]) launch(dim3((ow + 31) / 32, (oh + 7) / 8, planes), dim3(32, 8, 1))
#pragma cupilot workload(sm) set(planes = 5, ih = 21, iw = 34, oh = 5, ow = 8, win = 4) in(x[planes * ih * iw]) out(y[planes * oh * ow]) launch(dim3((ow + 31) / 32, (oh + 7) / 8, planes), dim3(32, 8, 1)) check
__global__ void avgpool2d_fp16(const __half *x, __half *y, int planes, int ih, int iw, int oh, int ow, int win)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    int pl = blockIdx.z;
    if (ox >= ow || oy >= oh || pl >= planes)
        return;

    x += (size_t)pl * ih * iw + (size_t)(oy * win) * iw + ox * win;
    float sum = 0.f;
    for (int r = 0; r < win; r++) {
        for (int c = 0; c < win; c++)
            sum += __half2float(x[c]);
        x += iw;
    }
    y[((size_t)pl * oh + oy) * ow + ox] = __float2half(sum / (float)(win * win));
}

// MaxPool1d: the block stages its input span in dynamic shared memory.
#pragma cupilot optimize
#pragma cupilot workload(l) set(len = 65536, out_len = 65530, ks = 8, st = 1, pd = 4, dl = 2, nc = 192) in(x[nc * len]) out(y[nc * out_len]) launch(dim3((out_len + 255) / 256, nc), 256, (255 * st + (ks - 1) * dl + 1) * 4)
#pragma cupilot workload(s) set(len = 500, out_len = 250, ks = 3, st = 2, pd = 1, dl = 1, nc = 3) in(x[nc * len]) out(y[nc * out_len]) launch(dim3((out_len + 255) / 256, nc), 256, (255 * st + (ks - 1) * dl + 1) * 4) check
__global__ void maxpool1d_shared(const float* x, float* y, int nc, int len, int out_len, int ks, int st, int pd, int dl)
{
    extern __shared__ float span[];

    const int row = blockIdx.y;
    if (row >= nc) return;               // uniform for the block
    const int first_out = blockIdx.x * blockDim.x;
    const int first_in = first_out * st - pd;
    const int need = (blockDim.x - 1) * st + (ks - 1) * dl + 1;
    const float* xr = x + (size_t)row * len;

    for (int i = threadIdx.x; i < need; i += blockDim.x) {
        const int g = first_in + i;
        span[i] = (g >= 0 && g < len) ? xr[g] : -FLT_MAX;
    }
    __syncthreads();

    const int o = first_out + threadIdx.x;
    if (o < out_len) {
        int p = threadIdx.x * st;
        float m = span[p];
        for (int k = 1; k < ks; k++) {
            p += dl;
            m = max(m, span[p]);
        }
        y[(size_t)row * out_len + o] = m;
    }
}
//= maxpool2d_forward: lifted
//= avg_pool1d: lifted
//= max_pool3d_gs.3: lifted
//= avgpool2d_fp16: lifted
//= maxpool1d_shared: lifted
