// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <stdint.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define IDX3(i, j, k, J, K) (((int64_t)(i) * (J) + (j)) * (K) + (k))

// argmin over dim=1 of [B, M, N]; blockIdx.x = batch, blockIdx.y = column tile. int64 result as torch does.
#pragma cupilot optimize
#pragma cupilot workload(am) set(B = 128, M = 1024, N = 1024) in(x[B * M * N]) out(idx[B * N]) launch(dim3(B, (N + 127) / 128), 128)
#pragma cupilot workload(am_s) set(B = 3, M = 17, N = 150) in(x[B * M * N]) out(idx[B * N]) launch(dim3(B, (N + 127) / 128), 128) check
__global__ void argmin_dim1(const float *x, int64_t *idx, int B, int M, int N)
{
    int b = blockIdx.x;
    int n = blockIdx.y * blockDim.x + threadIdx.x;
    if (b >= B || n >= N) return;

    float best = x[IDX3(b, 0, n, M, N)];
    int64_t where = 0;
    for (int m = 1; m < M; m++) {
        float v = x[IDX3(b, m, n, M, N)];
        where = v < best ? m : where;
        best = v < best ? v : best;
    }
    idx[(int64_t)b * N + n] = where;
}

// row maximum of half data, half2 loads, columns even
#pragma cupilot optimize
#pragma cupilot workload(mx) set(rows = 16384, cols = 4096) in(in[rows * cols]) out(out[rows]) launch(rows, 128)
#pragma cupilot workload(mx_s) set(rows = 6, cols = 74) in(in[rows * cols]) out(out[rows]) launch(rows, 128) check
__global__ void rowmax_half2(const half* in, half* out, int rows, int cols)
{
    __shared__ half2 warpmax[4];
    int row = blockIdx.x;
    const half2* r2 = reinterpret_cast<const half2*>(in + (size_t)row * cols);
    int n2 = cols / 2;

    half2 m = __float2half2_rn(-65504.0f);
    for (int i = threadIdx.x; i < n2; i += blockDim.x)
        m = __hmax2(m, r2[i]);

    for (int o = 16; o > 0; o >>= 1)
        m = __hmax2(m, __shfl_xor_sync(0xffffffff, m, o));

    int lane = threadIdx.x & 31;
    if (lane == 0) warpmax[threadIdx.x >> 5] = m;
    __syncthreads();

    if (threadIdx.x == 0) {
        m = warpmax[0];
        for (int w = 1; w < 4; w++) m = __hmax2(m, warpmax[w]);
        out[row] = __hmax(__low2half(m), __high2half(m));
    }
}

// AvgPool3d, count_include_pad=False style (divides by the real number of voxels).
// Grid: x = output depth, y = output plane in tiles, z = n*c
#pragma cupilot optimize
#pragma cupilot workload(ap) set(NC = 512, Di = 32, Hi = 64, Wi = 64, Do = 16, Ho = 32, Wo = 32, k = 3, s = 2, p = 1) in(x[NC * Di * Hi * Wi]) out(y[NC * Do * Ho * Wo]) launch(dim3(Do, (Ho * Wo + 255) / 256, NC), 256)
#pragma cupilot workload(ap_s) set(NC = 4, Di = 7, Hi = 12, Wi = 9, Do = 4, Ho = 6, Wo = 5, k = 3, s = 2, p = 1) in(x[NC * Di * Hi * Wi]) out(y[NC * Do * Ho * Wo]) launch(dim3(Do, (Ho * Wo + 255) / 256, NC), 256) check
__global__ void avgpool3d_clip(const float *x, float *y, int NC, int Di, int Hi, int Wi,
                               int Do, int Ho, int Wo, int k, int s, int p)
{
    const int od = blockIdx.x;
    const int hw = blockIdx.y * blockDim.x + threadIdx.x;
    const int nc = blockIdx.z;
    if (hw >= Ho * Wo) return;
    const int oh = hw / Wo, ow = hw - oh * Wo;

    // clip the window once instead of testing every voxel
    const int d0 = max(od * s - p, 0), d1 = min(od * s - p + k, Di);
    const int h0 = max(oh * s - p, 0), h1 = min(oh * s - p + k, Hi);
    const int w0 = max(ow * s - p, 0), w1 = min(ow * s - p + k, Wi);

    const float *vol = x + (size_t)nc * Di * Hi * Wi;
    float sum = 0.0f;
    int d = d0;
    while (d < d1) {
        int h = h0;
        while (h < h1) {
            int w = w0;
            while (w < w1) {
                sum += vol[(d * Hi + h) * Wi + w];
                ++w;
            }
            ++h;
        }
        ++d;
    }
    const int cnt = (d1 - d0) * (h1 - h0) * (w1 - w0);
    y[(((size_t)nc * Do + od) * Ho + oh) * Wo + ow] = sum / cnt;
}

// Grouped ConvTranspose3d, gather. weight: [Cin, Cout/groups, K, K, K]
#pragma cupilot optimize
#pragma cupilot workload(ct) set(N = 4, Cin = 32, Cout = 32, ID = 12, IH = 24, IW = 24, OD = 24, OH = 48, OW = 48, stride = 2, pad = 1, groups = 4) in(x[N * Cin * ID * IH * IW], w[Cin * (Cout / groups) * 4 * 4 * 4]) out(y[N * Cout * OD * OH * OW]) launch((N * Cout * OD * OH * OW + 255) / 256, 256)
#pragma cupilot workload(ct_s) set(N = 2, Cin = 4, Cout = 6, ID = 3, IH = 4, IW = 5, OD = 6, OH = 8, OW = 10, stride = 2, pad = 1, groups = 2) in(x[N * Cin * ID * IH * IW], w[Cin * (Cout / groups) * 4 * 4 * 4]) out(y[N * Cout * OD * OH * OW]) launch((N * Cout * OD * OH * OW + 255) / 256, 256) check
template <int K>
__global__ void conv_transpose3d_grouped(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y,
                                         int N, int Cin, int Cout, int ID, int IH, int IW,
                                         int OD, int OH, int OW, int stride, int pad, int groups)
{
    const unsigned lin = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned count = (unsigned)N * Cout * OD * OH * OW;
    if (lin < count) {
        unsigned q = lin;
        const int ox = q % OW;  q /= OW;
        const int oy = q % OH;  q /= OH;
        const int oz = q % OD;  q /= OD;
        const int oc = q % Cout;
        const int n  = q / Cout;

        const int cig = Cin / groups;
        const int cog = Cout / groups;
        const int g = oc / cog;
        const int ocg = oc % cog;

        float acc = 0.f;
        for (int kz = 0; kz < K; ++kz) {
            const int tz = oz + pad - kz;
            const int iz = tz / stride;
            if (tz < 0 || iz * stride != tz || iz >= ID) continue;
            for (int ky = 0; ky < K; ++ky) {
                const int ty = oy + pad - ky;
                const int iy = ty / stride;
                if (ty < 0 || iy * stride != ty || iy >= IH) continue;
#pragma unroll
                for (int kx = 0; kx < K; ++kx) {
                    const int tx = ox + pad - kx;
                    const int ix = tx / stride;
                    if (tx < 0 || ix * stride != tx || ix >= IW) continue;
                    for (int c = 0; c < cig; ++c) {
                        const int ic = g * cig + c;
                        acc += x[(((size_t)n * Cin + ic) * ID + iz) * IH * IW + iy * IW + ix] *
                               w[(((ic * cog + ocg) * K + kz) * K + ky) * K + kx];
                    }
                }
            }
        }
        y[lin] = acc;
    }
}
template __global__ void conv_transpose3d_grouped<4>(const float *, const float *, float *, int, int, int, int, int, int, int, int, int, int, int, int);

// Cumulative sum down the columns (dim=0) of a row-major matrix. A block owns 32 columns, pulls
// 32x32 tiles through shared memory, warps scan tile columns, the carry of a column stays in shared.
#pragma cupilot optimize
#pragma cupilot workload(cs) set(nrow = 4096, ncol = 8192) in(a[nrow * ncol]) out(s[nrow * ncol]) launch((ncol + 31) / 32, dim3(32, 8))
#pragma cupilot workload(cs_s) set(nrow = 77, ncol = 50) in(a[nrow * ncol]) out(s[nrow * ncol]) launch((ncol + 31) / 32, dim3(32, 8)) check
__global__ void cumsum_dim0_tiles(const float *a, float *s, int nrow, int ncol)
{
    __shared__ float tile[32][33];
    __shared__ float carry[32];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * 32 + tx;

    if (ty == 0) carry[tx] = 0.f;

    for (int chunk = 0; chunk < CEIL_DIV(nrow, 32); ++chunk) {
        const int r0 = chunk * 32;
        for (int k = ty; k < 32; k += 8)
            tile[k][tx] = (r0 + k < nrow && col < ncol) ? a[(size_t)(r0 + k) * ncol + col] : 0.f;
        __syncthreads();

        for (int c = ty; c < 32; c += 8) {
            float v = tile[tx][c];          // lane = row in the tile
            for (int d = 1; d < 32; d *= 2) {
                float u = __shfl_up_sync(0xffffffff, v, d);
                v = tx >= d ? v + u : v;
            }
            v += carry[c];
            __syncwarp();
            tile[tx][c] = v;
            if (tx == 31) carry[c] = v;
        }
        __syncthreads();

        for (int k = ty; k < 32; k += 8)
            if (r0 + k < nrow && col < ncol)
                s[(size_t)(r0 + k) * ncol + col] = tile[k][tx];
        __syncthreads();
    }
}
//= argmin_dim1: lifted
//= rowmax_half2: what is written here is no sum or maximum over the block
//= avgpool3d_clip: lifted
//= conv_transpose3d_grouped.4: lifted
//= cumsum_dim0_tiles: rows of threads in a block share an element of shared memory
