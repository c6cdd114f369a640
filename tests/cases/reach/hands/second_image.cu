// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <cuda_runtime.h>

typedef unsigned char uchar;

// Horizontal pass of a separable Gaussian. The filter has 2*radius+1 taps,
// pixels past the border are replicated. Dynamic shared memory: one row segment plus apron.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(imageW = 7680, imageH = 4320, radius = 7) inout(d_Dst[1 << 26]) in(d_Src[1 << \
    26]) in(d_Filter[1 << 26]) launch(dim3((imageW + 255) / 256, imageH), 256, (256 + 2 * radius) * 4)
__global__ void gaussianRowsKernel(float *d_Dst, const float *d_Src, const float *d_Filter,
                                   int imageW, int imageH, int radius)
{
    extern __shared__ float s_Data[];

    const int rowStart = blockIdx.y * imageW;
    const int tileStart = blockIdx.x * blockDim.x;
    const int tileLen = blockDim.x + 2 * radius;

    for (int i = threadIdx.x; i < tileLen; i += blockDim.x) {
        int x = tileStart + i - radius;
        x = x < 0 ? 0 : x;
        x = x > imageW - 1 ? imageW - 1 : x;
        s_Data[i] = d_Src[rowStart + x];
    }

    __syncthreads();

    const int x = tileStart + threadIdx.x;
    if (x < imageW) {
        float sum = 0;

        for (int j = -radius; j <= radius; j++) {
            sum += d_Filter[radius - j] * s_Data[threadIdx.x + radius + j];
        }

        d_Dst[rowStart + x] = sum;
    }
}

// RGBA -> luma (BT.601), the udacity homework
#pragma cupilot optimize
#pragma cupilot workload(timed) set(numRows = 4320, numCols = 7680) in(rgbaImage[1 << 26]) inout(greyImage[1 << \
    26]) launch(dim3(numCols / 16 + 1, numRows / 16 + 1, 1), dim3(16, 16, 1))
__global__
void rgba_to_greyscale(const uchar4* const rgbaImage,
                       unsigned char* const greyImage,
                       int numRows, int numCols)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;

  if ((c < numCols) && (r < numRows))
  {
    int offset = r * numCols + c;
    uchar4 rgba = rgbaImage[offset];
    float channelSum = .299f * rgba.x + .587f * rgba.y + .114f * rgba.z;
    greyImage[offset] = channelSum;
  }
}

__device__ __forceinline__ float lerp1(float a, float b, float t) { return a + t * (b - a); }

// bilinear resize of packed 3-channel images, pixel centres at half integers
#pragma cupilot optimize
#pragma cupilot workload(timed) set(src_w = 3840, src_h = 2160, dst_w = 5760, dst_h = 3240) in(src[1 << 26]) \
    inout(dst[1 << 26]) launch(dim3((dst_w + 31) / 32, (dst_h + 7) / 8), dim3(32, 8))
__global__ void resize_bilinear_u8c3(const uchar3* __restrict__ src, int src_w, int src_h,
                                     uchar3* __restrict__ dst, int dst_w, int dst_h)
{
    const int dx = blockIdx.x * blockDim.x + threadIdx.x;
    const int dy = blockIdx.y * blockDim.y + threadIdx.y;
    if (dx >= dst_w || dy >= dst_h) return;

    const float scale_x = (float)src_w / dst_w;
    const float scale_y = (float)src_h / dst_h;

    float fx = (dx + 0.5f) * scale_x - 0.5f;
    float fy = (dy + 0.5f) * scale_y - 0.5f;
    fx = fminf(fmaxf(fx, 0.0f), src_w - 1.0f);
    fy = fminf(fmaxf(fy, 0.0f), src_h - 1.0f);

    const int x0 = (int)fx, y0 = (int)fy;
    const int x1 = min(x0 + 1, src_w - 1);
    const int y1 = min(y0 + 1, src_h - 1);
    const float ax = fx - x0, ay = fy - y0;

    const uchar3 p00 = src[y0 * src_w + x0];
    const uchar3 p01 = src[y0 * src_w + x1];
    const uchar3 p10 = src[y1 * src_w + x0];
    const uchar3 p11 = src[y1 * src_w + x1];

    uchar3 o;
    o.x = (uchar)(lerp1(lerp1(p00.x, p01.x, ax), lerp1(p10.x, p11.x, ax), ay) + 0.5f);
    o.y = (uchar)(lerp1(lerp1(p00.y, p01.y, ax), lerp1(p10.y, p11.y, ax), ay) + 0.5f);
    o.z = (uchar)(lerp1(lerp1(p00.z, p01.z, ax), lerp1(p10.z, p11.z, ax), ay) + 0.5f);
    dst[dy * dst_w + dx] = o;
}

// Second half of histogram equalisation: build the 256 entry table from the
// cumulative histogram in every block, then map the pixels.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(cdf_min = 1200, num_pixels = 67108864) in(in[1 << 26]) inout(out[1 << 26]) \
    in(cdf[1 << 26]) launch(1024, 256)
__global__ void hist_equalize_apply(const unsigned char *in, unsigned char *out,
                                    const unsigned int *cdf, unsigned int cdf_min, int num_pixels)
{
    __shared__ unsigned char lut[256];

    float denom = (float)((unsigned int)num_pixels - cdf_min);
    float v = 255.0f * ((float)cdf[threadIdx.x] - (float)cdf_min) / denom;
    v = fminf(fmaxf(v, 0.0f), 255.0f);
    lut[threadIdx.x] = (unsigned char)(v + 0.5f);
    __syncthreads();

    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_pixels; i += stride)
        out[i] = lut[in[i]];
}

#define SWAP_MIN_MAX(a, b) { uchar t = min(a, b); b = max(a, b); a = t; }

// 3x3 median, full bubble pass only as far as the middle element.
// The one pixel frame is copied.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(w = 8192, h = 8192, pitch = 8192) in(src[1 << 26]) inout(dst[1 << 26]) \
    launch(dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16))
__global__ void median3x3(const uchar *src, uchar *dst, int w, int h, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;

    if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        dst[y * pitch + x] = src[y * pitch + x];
        return;
    }

    uchar v[9];
    int k = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            v[k++] = src[(y + j) * pitch + (x + i)];

    for (int i = 0; i < 5; ++i)
        for (int j = i + 1; j < 9; ++j)
            SWAP_MIN_MAX(v[i], v[j]);

    dst[y * pitch + x] = v[4];
}
//= gaussianRowsKernel: lifted
//= rgba_to_greyscale: lifted
//= resize_bilinear_u8c3: lifted
//= hist_equalize_apply: what is written here is no sum or maximum over the block
//= median3x3: '++' is not known here
