// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// image processing
#include <cuda_runtime.h>
#include <math.h>

#define RADIUS 3
#define ROW_TILE 128

__constant__ float gaussTaps[2 * RADIUS + 1] = {
    0.00443f, 0.05401f, 0.24204f, 0.39905f, 0.24204f, 0.05401f, 0.00443f
};

__device__ __forceinline__ int clampi(int v, int lo, int hi)
{
    return v < lo ? lo : (v > hi ? hi : v);
}

// Row pass of a separable Gaussian, replicated border.
#pragma cupilot optimize
#pragma cupilot workload(uhd) set(width = 3840, height = 2160) in(src[width * height]) out(dst[width * height]) launch(dim3((width + 127) / 128, height), 128)
#pragma cupilot workload(small) set(width = 301, height = 23) in(src[width * height]) out(dst[width * height]) launch(dim3((width + 127) / 128, height), 128) check
__global__ void gauss_row7(const float *src, float *dst, int width, int height)
{
    __shared__ float line[ROW_TILE + 2 * RADIUS];

    const int y = blockIdx.y;
    const int x0 = blockIdx.x * ROW_TILE;
    const float *row = src + y * width;

    line[threadIdx.x + RADIUS] = row[clampi(x0 + threadIdx.x, 0, width - 1)];
    if (threadIdx.x < RADIUS) {
        line[threadIdx.x] = row[clampi(x0 - RADIUS + (int)threadIdx.x, 0, width - 1)];
        line[threadIdx.x + RADIUS + ROW_TILE] =
            row[clampi(x0 + ROW_TILE + (int)threadIdx.x, 0, width - 1)];
    }
    __syncthreads();

    const int x = x0 + threadIdx.x;
    if (x >= width)
        return;

    float acc = 0.0f;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        acc += gaussTaps[k + RADIUS] * line[threadIdx.x + RADIUS + k];
    dst[y * width + x] = acc;
}

// Sobel on a pitched 8 bit image; also keeps the strongest edge of the image.
#pragma cupilot optimize
#pragma cupilot workload(frame) set(w = 3840, h = 2160, pitch = 4096) in(in[pitch * h]) inout(out[pitch * h], strongest[1]) fill(in = randint(0, 255), out = zeros, strongest = zeros) launch(dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8))
#pragma cupilot workload(stamp) set(w = 125, h = 67, pitch = 128) in(in[pitch * h]) inout(out[pitch * h], strongest[1]) fill(in = randint(0, 255), out = zeros, strongest = zeros) launch(dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)) check
__global__ void sobel_u8(const unsigned char *in, unsigned char *out, int *strongest,
                         int w, int h, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
        int p[9];
        const unsigned char *r = in + (y - 1) * pitch + (x - 1);
        for (int dy = 0; dy < 3; dy++) {
            for (int dx = 0; dx < 3; dx++)
                p[dy * 3 + dx] = r[dx];
            r += pitch;
        }

        int gx = p[2] + 2 * p[5] + p[8] - p[0] - 2 * p[3] - p[6];
        int gy = p[6] + 2 * p[7] + p[8] - p[0] - 2 * p[1] - p[2];
        int mag = abs(gx) + abs(gy);

        out[y * pitch + x] = (unsigned char)min(mag, 255);
        if (mag > 255)
            atomicMax(strongest, mag);
    }
}

// Bilateral filter with an arbitrary radius
#pragma cupilot optimize
#pragma cupilot workload(hd) set(cols = 1920, rows = 1080, radius = 4, sigma_d = 2.5, sigma_r = 0.2) in(img[rows * cols]) out(res[rows * cols]) launch(dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16))
#pragma cupilot workload(tiny) set(cols = 70, rows = 51, radius = 2, sigma_d = 1.5, sigma_r = 0.2) in(img[rows * cols]) out(res[rows * cols]) launch(dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)) check
__global__ void bilateral(const float *img, float *res, int cols, int rows, int radius,
                          float sigma_d, float sigma_r)
{
    const int cx = blockIdx.x * blockDim.x + threadIdx.x;
    const int cy = blockIdx.y * blockDim.y + threadIdx.y;
    if (cx >= cols || cy >= rows) return;

    const float kd = -0.5f / (sigma_d * sigma_d);
    const float kr = -0.5f / (sigma_r * sigma_r);
    const float centre = img[cy * cols + cx];
    float num = 0.f, den = 0.f;

    for (int dy = -radius; dy <= radius; ++dy) {
        int yy = cy + dy;
        if (yy < 0 || yy >= rows) continue;
        for (int dx = -radius; dx <= radius; ++dx) {
            int xx = cx + dx;
            if (xx < 0 || xx >= cols) continue;
            float v = img[yy * cols + xx];
            float diff = v - centre;
            float w = expf(kd * (dx * dx + dy * dy) + kr * diff * diff);
            num += w * v;
            den += w;
        }
    }
    res[cy * cols + cx] = num / den;    // den >= 1, the centre counts
}

__device__ unsigned char quant8(float v)
{
    return (unsigned char)(__saturatef(v) * 255.0f + 0.5f);
}

// HSV (all in 0..1) to packed RGB
#pragma cupilot optimize
#pragma cupilot workload(image) set(n = 4096 * 2160) in(hsv[n]) out(rgb[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(few) set(n = 1537) in(hsv[n]) out(rgb[n]) launch((n + 255) / 256, 256) check
__global__ void hsv_to_rgb(const float3 *hsv, uchar3 *rgb, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float3 c = hsv[i];
    float h = c.x - floorf(c.x);
    float s = __saturatef(c.y);
    float v = __saturatef(c.z);

    h *= 6.0f;
    int sector = (int)h;
    float f = h - sector;
    float p = v * (1.0f - s);
    float q = v * (1.0f - s * f);
    float t = v * (1.0f - s * (1.0f - f));

    float r, g, b;
    switch (sector) {
    case 0:  r = v; g = t; b = p; break;
    case 1:  r = q; g = v; b = p; break;
    case 2:  r = p; g = v; b = t; break;
    case 3:  r = p; g = q; b = v; break;
    case 4:  r = t; g = p; b = v; break;
    default: r = v; g = p; b = q; break;
    }
    rgb[i] = make_uchar3(quant8(r), quant8(g), quant8(b));
}

// Bilinear resize of an interleaved 8 bit image (pixel centres aligned)
#pragma cupilot optimize
#pragma cupilot workload(down) set(sw = 3840, sh = 2160, dw = 1280, dh = 720) in(src[sw * sh * 3]) out(dst[dw * dh * 3]) fill(src = randint(0, 255)) launch(dim3((dw + 31) / 32, (dh + 7) / 8), dim3(32, 8))
#pragma cupilot workload(up) set(sw = 53, sh = 40, dw = 127, dh = 91) in(src[sw * sh * 3]) out(dst[dw * dh * 3]) fill(src = randint(0, 255)) launch(dim3((dw + 31) / 32, (dh + 7) / 8), dim3(32, 8)) check
template <int CH>
__global__ void resize_bilinear(const unsigned char *src, unsigned char *dst,
                                int sw, int sh, int dw, int dh)
{
    const int dx = blockDim.x * blockIdx.x + threadIdx.x;
    const int dy = blockDim.y * blockIdx.y + threadIdx.y;
    if (dx >= dw || dy >= dh)
        return;

    float fx = (dx + 0.5f) * ((float)sw / dw) - 0.5f;
    float fy = (dy + 0.5f) * ((float)sh / dh) - 0.5f;
    fx = fminf(fmaxf(fx, 0.0f), (float)(sw - 1));
    fy = fminf(fmaxf(fy, 0.0f), (float)(sh - 1));

    const int x0 = (int)fx, y0 = (int)fy;
    const int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    const float ax = fx - x0, ay = fy - y0;

    const unsigned char *p00 = src + (y0 * sw + x0) * CH;
    const unsigned char *p01 = src + (y0 * sw + x1) * CH;
    const unsigned char *p10 = src + (y1 * sw + x0) * CH;
    const unsigned char *p11 = src + (y1 * sw + x1) * CH;
    unsigned char *o = dst + (dy * dw + dx) * CH;

#pragma unroll
    for (int ch = 0; ch < CH; ch++) {
        float top = *p00 + ax * (*p01 - *p00);
        float bot = *p10 + ax * (*p11 - *p10);
        *o++ = (unsigned char)(top + ay * (bot - top) + 0.5f);
        p00++; p01++; p10++; p11++;
    }
}
template __global__ void resize_bilinear<3>(const unsigned char *, unsigned char *, int, int, int, int);
//= gauss_row7: what threads have of 'acc' is another thing in each round
//= sobel_u8: 'p' is an array of each thread
//= bilateral: lifted
//= hsv_to_rgb: lifted
//= resize_bilinear.3: lifted
