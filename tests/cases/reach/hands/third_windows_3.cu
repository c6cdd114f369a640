// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// 2-D convolutions, NCHW.
#include <cuda_runtime.h>

// General direct convolution: stride, padding, dilation, groups, bias.
#pragma cupilot optimize
#pragma cupilot workload(resnet) set(N = 8, Cin = 64, H = 56, W = 56, Cout = 128, KH = 3, KW = 3, OH = 28, OW = 28, stride = 2, pad = 1, dil = 1, groups = 4) in(x[N * Cin * H * W], w[Cout * (Cin / groups) * KH * KW], bias[Cout]) out(y[N * Cout * OH * OW]) launch((N * Cout * OH * OW + 255) / 256, 256)
#pragma cupilot workload(chk) set(N = 2, Cin = 6, H = 19, W = 23, Cout = 8, KH = 3, KW = 5, OH = 17, OW = 17, stride = 1, pad = 1, dil = 2, groups = 2) in(x[N * Cin * H * W], w[Cout * (Cin / groups) * KH * KW], bias[Cout]) out(y[N * Cout * OH * OW]) launch((N * Cout * OH * OW + 255) / 256, 256) check
__global__ void conv2d_grouped(const float* x, const float* w, const float* bias, float* y,
                               int N, int Cin, int H, int W, int Cout, int KH, int KW,
                               int OH, int OW, int stride, int pad, int dil, int groups)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= N * Cout * OH * OW) return;

    int ow = tid % OW;
    int oh = tid / OW % OH;
    int co = tid / (OW * OH) % Cout;
    int n  = tid / (OW * OH * Cout);

    int cin_per_group  = Cin / groups;
    int cout_per_group = Cout / groups;
    int g = co / cout_per_group;

    float sum = bias[co];
    for (int ci = 0; ci < cin_per_group; ci++) {
        for (int kh = 0; kh < KH; kh++) {
            for (int kw = 0; kw < KW; kw++) {
                int ih = oh * stride - pad + kh * dil;
                int iw = ow * stride - pad + kw * dil;
                if (ih >= 0 && ih < H && iw >= 0 && iw < W) {
                    int xi = ((n * Cin + g * cin_per_group + ci) * H + ih) * W + iw;
                    int wi = ((co * cin_per_group + ci) * KH + kh) * KW + kw;
                    sum += x[xi] * w[wi];
                }
            }
        }
    }
    y[tid] = sum;
}

// "Same" KxK convolution, stride 1, input tile with halo in shared memory.
// blockIdx.z enumerates (image, output channel).
#pragma cupilot optimize
#pragma cupilot workload(tile3) set(batch = 4, ci = 32, co = 64, h = 128, w = 128) in(img[batch * ci * h * w], ker[co * ci * 3 * 3]) out(res[batch * co * h * w]) launch(dim3((w + 15) / 16, (h + 15) / 16, batch * co), dim3(16, 16))
#pragma cupilot workload(ragged) set(batch = 2, ci = 3, co = 4, h = 35, w = 22) in(img[batch * ci * h * w], ker[co * ci * 3 * 3]) out(res[batch * co * h * w]) launch(dim3((w + 15) / 16, (h + 15) / 16, batch * co), dim3(16, 16)) check
template <int K, int TILE>
__global__ void conv2d_same_tiled(const float *img, const float *ker, float *res,
                                  int batch, int ci, int co, int h, int w)
{
    const int R = K / 2;
    const int S = TILE + K - 1;
    __shared__ float tile[S][S];
    __shared__ float filt[K][K];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int col = blockIdx.x * TILE + tx;
    const int row = blockIdx.y * TILE + ty;
    const int b = blockIdx.z / co;
    const int oc = blockIdx.z % co;

    float acc = 0.f;
    for (int c = 0; c < ci; ++c) {
        const float *plane = img + (size_t)(b * ci + c) * h * w;

        for (int yy = ty; yy < S; yy += TILE)
            for (int xx = tx; xx < S; xx += TILE) {
                int gy = (int)blockIdx.y * TILE + yy - R;
                int gx = (int)blockIdx.x * TILE + xx - R;
                tile[yy][xx] = (gy >= 0 && gy < h && gx >= 0 && gx < w) ? plane[gy * w + gx] : 0.f;
            }
        if (ty < K && tx < K)
            filt[ty][tx] = ker[((oc * ci + c) * K + ty) * K + tx];
        __syncthreads();

#pragma unroll
        for (int i = 0; i < K; ++i)
#pragma unroll
            for (int j = 0; j < K; ++j)
                acc += tile[ty + i][tx + j] * filt[i][j];
        __syncthreads();
    }

    if (row < h && col < w && b < batch)
        res[((size_t)blockIdx.z * h + row) * w + col] = acc;
}
template __global__ void conv2d_same_tiled<3, 16>(const float *, const float *, float *, int, int, int, int, int);

// Depthwise convolution; filter of the channel is held in registers and every
// thread slides down ROWS output rows.
#pragma cupilot optimize
#pragma cupilot workload(dw) set(channels = 64, planes = 1024, H = 112, W = 112, OH = 112, OW = 112, stride = 1, pad = 1) in(x[planes * H * W], w[channels * 9]) out(y[planes * OH * OW]) launch(dim3((OW + 63) / 64, (OH + 3) / 4, planes), 64)
#pragma cupilot workload(dw_s2) set(channels = 3, planes = 6, H = 30, W = 41, OH = 15, OW = 21, stride = 2, pad = 1) in(x[planes * H * W], w[channels * 9]) out(y[planes * OH * OW]) launch(dim3((OW + 63) / 64, (OH + 3) / 4, planes), 64) check
template <int KS, int ROWS>
__global__ void depthwise_conv(const float * __restrict__ x, const float * __restrict__ w, float * __restrict__ y,
                               int planes, int channels, int H, int W, int OH, int OW, int stride, int pad)
{
    const int plane = blockIdx.z;
    const int ox = blockIdx.x * blockDim.x + threadIdx.x;
    if (plane >= planes || ox >= OW) return;

    float f[KS * KS];
    const float *wc = w + (plane % channels) * KS * KS;
#pragma unroll
    for (int i = 0; i < KS * KS; i++) f[i] = __ldg(wc + i);

    x += (size_t)plane * H * W;
    y += (size_t)plane * OH * OW;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const int oy = blockIdx.y * ROWS + r;
        if (oy >= OH) break;
        float v = 0.0f;
#pragma unroll
        for (int a = 0; a < KS; a++) {
            const int iy = oy * stride + a - pad;
            if ((unsigned)iy >= (unsigned)H) continue;
#pragma unroll
            for (int b = 0; b < KS; b++) {
                const int ix = ox * stride + b - pad;
                if ((unsigned)ix < (unsigned)W)
                    v = fmaf(f[a * KS + b], x[iy * W + ix], v);
            }
        }
        y[oy * OW + ox] = v;
    }
}
template __global__ void depthwise_conv<3, 4>(const float *, const float *, float *, int, int, int, int, int, int, int, int);

// 1x1 convolution as a batched matrix product: out[n] (Co x P) = wt (Co x Ci) * in[n] (Ci x P)
// 64 x 64 output tile, 4 x 4 outputs per thread.
#define BM 64
#define BN 64
#define BK 16

#pragma cupilot optimize
#pragma cupilot workload(pw) set(Nb = 16, Ci = 256, Co = 128, P = 4096) in(in[Nb * Ci * P], wt[Co * Ci]) out(out[Nb * Co * P]) launch(dim3((P + 63) / 64, (Co + 63) / 64, Nb), dim3(16, 16))
#pragma cupilot workload(pw_odd) set(Nb = 2, Ci = 19, Co = 70, P = 221) in(in[Nb * Ci * P], wt[Co * Ci]) out(out[Nb * Co * P]) launch(dim3((P + 63) / 64, (Co + 63) / 64, Nb), dim3(16, 16)) check
__global__ void pointwise_conv_regtile(const float *in, const float *wt, float *out, int Nb, int Ci, int Co, int P)
{
    __shared__ float Ws[BK][BM + 1];
    __shared__ float Xs[BK][BN];

    const float *inb = in + (size_t)blockIdx.z * Ci * P;
    float *outb = out + (size_t)blockIdx.z * Co * P;
    const int m0 = blockIdx.y * BM;
    const int p0 = blockIdx.x * BN;
    const int t = threadIdx.y * 16 + threadIdx.x;

    float acc[4][4] = {};

    for (int k0 = 0; k0 < Ci; k0 += BK) {
        for (int e = t; e < BM * BK; e += 256) {
            int kk = e % BK, mm = e / BK;
            Ws[kk][mm] = (m0 + mm < Co && k0 + kk < Ci) ? wt[(m0 + mm) * Ci + k0 + kk] : 0.f;
        }
        for (int e = t; e < BK * BN; e += 256) {
            int pp = e % BN, kk = e / BN;
            Xs[kk][pp] = (p0 + pp < P && k0 + kk < Ci) ? inb[(size_t)(k0 + kk) * P + p0 + pp] : 0.f;
        }
        __syncthreads();

        for (int k = 0; k < BK; k++) {
            float a[4], b[4];
            for (int i = 0; i < 4; i++) a[i] = Ws[k][threadIdx.y * 4 + i];
            for (int j = 0; j < 4; j++) b[j] = Xs[k][threadIdx.x + 16 * j];
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int m = m0 + threadIdx.y * 4 + i;
        if (m >= Co) continue;
        for (int j = 0; j < 4; j++) {
            int p = p0 + threadIdx.x + 16 * j;
            if (p < P) outb[(size_t)m * P + p] = acc[i][j];
        }
    }
}

// ConvTranspose2d, gather form. Weight layout is (Cin, Cout, K, K).
// x axis of the grid = output rows, y axis = output columns (historical reasons).
#pragma cupilot optimize
#pragma cupilot workload(up2) set(N = 8, Cin = 64, Cout = 32, IH = 64, IW = 64, OH = 128, OW = 128, K = 4, stride = 2, pad = 1, dil = 1) in(x[N * Cin * IH * IW], wgt[Cin * Cout * K * K]) out(y[N * Cout * OH * OW]) launch(dim3((OH + 7) / 8, (OW + 31) / 32, N * Cout), dim3(8, 32, 1))
#pragma cupilot workload(up_small) set(N = 1, Cin = 3, Cout = 5, IH = 9, IW = 7, OH = 29, OW = 23, K = 3, stride = 3, pad = 0, dil = 2) in(x[N * Cin * IH * IW], wgt[Cin * Cout * K * K]) out(y[N * Cout * OH * OW]) launch(dim3((OH + 7) / 8, (OW + 31) / 32, N * Cout), dim3(8, 32, 1)) check
__global__ void conv_transpose2d_gather(const float *x, const float *wgt, float *y,
                                        int N, int Cin, int Cout, int IH, int IW, int OH, int OW,
                                        int K, int stride, int pad, int dil)
{
    int oy = blockIdx.x * blockDim.x + threadIdx.x;
    int ox = blockIdx.y * blockDim.y + threadIdx.y;
    int n = blockIdx.z / Cout;
    int oc = blockIdx.z - n * Cout;

    if (oy < OH && ox < OW && n < N) {
        float s = 0.0f;
        for (int ic = 0; ic < Cin; ++ic) {
            const float *xp = x + (n * Cin + ic) * IH * IW;
            const float *wp = wgt + (ic * Cout + oc) * K * K;
            for (int ky = 0; ky < K; ++ky) {
                int ty = oy + pad - ky * dil;
                if (ty < 0 || ty % stride != 0) continue;
                int iy = ty / stride;
                if (iy >= IH) continue;
                for (int kx = 0; kx < K; ++kx) {
                    int tx = ox + pad - kx * dil;
                    if (tx < 0 || tx % stride != 0) continue;
                    int ix = tx / stride;
                    if (ix < IW)
                        s += xp[iy * IW + ix] * wp[ky * K + kx];
                }
            }
        }
        y[((n * Cout + oc) * OH + oy) * OW + ox] = s;
    }
}
//= conv2d_grouped: lifted
//= conv2d_same_tiled.3.16: lifted
//= depthwise_conv.3.4: lifted
//= pointwise_conv_regtile: 'b' is read where it is not known to be filled
//= conv_transpose2d_gather: lifted
