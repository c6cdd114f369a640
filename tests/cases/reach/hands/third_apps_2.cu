// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// reductions, histogram, transpose, polynomial
#include <cuda_runtime.h>

// Sum with four loads per thread and iteration, tree in dynamic shared memory,
// last warp without block barriers, one atomic per block.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(g_in[n]) inout(g_total[1]) fill(g_total = zeros) launch(2048, 256, 256 * 4)
#pragma cupilot workload(small) set(n = 65535) in(g_in[n]) inout(g_total[1]) fill(g_total = zeros) launch(16, 128, 128 * 4) check
__global__ void reduce_sum(const float *g_in, float *g_total, unsigned int n)
{
    extern __shared__ float sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int bs = blockDim.x;
    unsigned int i = blockIdx.x * bs * 4 + tid;
    unsigned int gridSize = bs * 4 * gridDim.x;

    float mySum = 0;
    while (i < n) {
        mySum += g_in[i];
        if (i + bs < n)     mySum += g_in[i + bs];
        if (i + 2 * bs < n) mySum += g_in[i + 2 * bs];
        if (i + 3 * bs < n) mySum += g_in[i + 3 * bs];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();

    for (unsigned int s = bs / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid < 32) {
        volatile float *v = sdata;
        float x = v[tid] + v[tid + 32];
        __syncwarp();
        v[tid] = x;
        __syncwarp();
        for (int d = 16; d > 0; d /= 2) {
            x = (tid < d) ? v[tid] + v[tid + d] : 0.0f;
            __syncwarp();
            if (tid < d) v[tid] = x;
            __syncwarp();
        }
        if (tid == 0)
            atomicAdd(g_total, v[0]);
    }
}

template <typename T>
__device__ __forceinline__ T warp_sum(T v)
{
#pragma unroll
    for (int mask = 16; mask; mask >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, mask);
    return v;
}

// partial dot products, the host adds up the partials
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25) in(x[n], y[n]) out(partial[1024]) launch(1024, 256)
#pragma cupilot workload(small) set(n = 12345) in(x[n], y[n]) out(partial[20]) launch(20, 256) check
template <typename T, int BLOCK>
__global__ void dot_partial(const T *x, const T *y, T *partial, int n)
{
    __shared__ T warp_acc[BLOCK / 32];

    T acc = T(0);
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        acc += x[i] * y[i];

    acc = warp_sum(acc);

    const int lane = threadIdx.x & 31;
    const int wid  = threadIdx.x >> 5;
    if (lane == 0)
        warp_acc[wid] = acc;
    __syncthreads();

    if (wid == 0) {
        acc = lane < BLOCK / 32 ? warp_acc[lane] : T(0);
        acc = warp_sum(acc);
        if (lane == 0)
            partial[blockIdx.x] = acc;
    }
}
template __global__ void dot_partial<double, 256>(const double *, const double *, double *, int);

#define NBINS 256
#define WARPS_PER_BLOCK 6

// Brightness histogram of an interleaved RGB image. Every warp has its own
// sub-histogram in shared memory to keep the contention down.
#pragma cupilot optimize
#pragma cupilot workload(photo) set(npix = 6000 * 4000) in(rgb[npix * 3]) inout(hist[256]) fill(rgb = randint(0, 255), hist = zeros) launch(528, 192)
#pragma cupilot workload(tiny) set(npix = 4321) in(rgb[npix * 3]) inout(hist[256]) fill(rgb = randint(0, 255), hist = zeros) launch(7, 192) check
__global__ void luma_histogram(const unsigned char *rgb, unsigned int *hist, unsigned int npix)
{
    __shared__ unsigned int s_hist[WARPS_PER_BLOCK * NBINS];

    for (unsigned int k = threadIdx.x; k < WARPS_PER_BLOCK * NBINS; k += blockDim.x)
        s_hist[k] = 0;
    __syncthreads();

    unsigned int *mine = s_hist + (threadIdx.x / 32) * NBINS;

    for (unsigned int p = blockIdx.x * blockDim.x + threadIdx.x; p < npix;
         p += gridDim.x * blockDim.x) {
        const unsigned char *px = rgb + 3u * p;
        unsigned int luma = (77u * px[0] + 150u * px[1] + 29u * px[2]) >> 8;
        atomicAdd(&mine[luma], 1u);
    }
    __syncthreads();

    for (int bin = threadIdx.x; bin < NBINS; bin += blockDim.x) {
        unsigned int sum = 0;
        for (int w = 0; w < WARPS_PER_BLOCK; w++)
            sum += s_hist[w * NBINS + bin];
        if (sum > 0)
            atomicAdd(hist + bin, sum);
    }
}

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

#pragma cupilot optimize
#pragma cupilot workload(large) set(width = 8192, height = 4096) in(idata[width * height]) out(odata[width * height]) launch(dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8))
#pragma cupilot workload(odd) set(width = 1001, height = 333) in(idata[width * height]) out(odata[width * height]) launch(dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8)) check
__global__ void transpose_padded(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && (y + j) < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && (y + j) < width)
            odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__constant__ double kCoef[9] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664,
    0.008333333333333333, 0.001388888888888889, 0.0001984126984126984,
    0.0000248015873015873
};

// value and first derivative at once
template <int DEG>
__device__ void horner(double x, double &p, double &dp)
{
    p = kCoef[DEG];
    dp = 0.0;
    for (int k = DEG - 1; k >= 0; --k) {
        dp = dp * x + p;
        p = p * x + kCoef[k];
    }
}

#pragma cupilot optimize
#pragma cupilot workload(many) set(n = 1 << 23) in(x[n]) out(val[n], der[n]) launch(n / 512, 512)
#pragma cupilot workload(few) set(n = 3 * 512 + 17) in(x[n]) out(val[n], der[n]) launch(n / 512 + 1, 512) check
template <int DEG>
__global__ void poly_value_and_slope(const double *x, double *val, double *der, int n)
{
    int gid = threadIdx.x + blockDim.x * blockIdx.x;
    if (gid < n) {
        double p, dp;
        horner<DEG>(x[gid], p, dp);
        val[gid] = p;
        der[gid] = dp;
    }
}
template __global__ void poly_value_and_slope<8>(const double *, double *, double *, int);
//= reduce_sum: which iterations of this loop are a thread's is not known
//= dot_partial.double.256: each thread or block has a part of 'acc', and no atomic operation puts the parts together
//= luma_histogram: a pointer is computed in a way that hides which buffer it points to
//= transpose_padded: lifted
//= poly_value_and_slope.8: lifted
