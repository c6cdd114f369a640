// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
// Matrix products, all row-major.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <mma.h>

// ---------- 1. classic shared memory tiles ---------------------------------
#define TILE_WIDTH 16

#pragma cupilot optimize
#pragma cupilot workload(timed) set(M = 4096, N = 4096, K = 4096) inout(A[1 << 26]) inout(B[1 << 26]) inout(C[1 << \
    26]) launch(dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16))
__global__ void matrixMulTiled(float *A, float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x, by = blockIdx.y;
    int tx = threadIdx.x, ty = threadIdx.y;

    int row = by * TILE_WIDTH + ty;
    int col = bx * TILE_WIDTH + tx;

    float Cvalue = 0.0;

    for (int t = 0; t < (K + TILE_WIDTH - 1) / TILE_WIDTH; ++t) {
        if (row < M && t * TILE_WIDTH + tx < K)
            As[ty][tx] = A[row * K + t * TILE_WIDTH + tx];
        else
            As[ty][tx] = 0.0;

        if (col < N && t * TILE_WIDTH + ty < K)
            Bs[ty][tx] = B[(t * TILE_WIDTH + ty) * N + col];
        else
            Bs[ty][tx] = 0.0;

        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Cvalue += As[ty][k] * Bs[k][tx];

        __syncthreads();
    }

    if (row < M && col < N)
        C[row * N + col] = Cvalue;
}

// ---------- 2. 2-D register tiles ------------------------------------------
// C = alpha * A * B + beta * C
// M, N and K must be multiples of BM, BN and BK; (BM/TM)*(BN/TN) threads.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(M = 4096, N = 4096, K = 4096, alpha = 1, beta = 1) in(A[1 << 26]) in(B[1 << \
    26]) inout(C[1 << 26]) launch(dim3(N / 128, M / 128), 256)
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
sgemm_2d_blocktiling(int M, int N, int K, float alpha, const float *A,
                     const float *B, float beta, float *C)
{
    const uint cRow = blockIdx.y;
    const uint cCol = blockIdx.x;

    const uint numThreads = (BM * BN) / (TM * TN);

    const int threadCol = threadIdx.x % (BN / TN);
    const int threadRow = threadIdx.x / (BN / TN);

    __shared__ float As[BM * BK];
    __shared__ float Bs[BK * BN];

    A += cRow * BM * K;
    B += cCol * BN;
    C += cRow * BM * N + cCol * BN;

    const uint innerRowA = threadIdx.x / BK;
    const uint innerColA = threadIdx.x % BK;
    const uint strideA = numThreads / BK;
    const uint innerRowB = threadIdx.x / BN;
    const uint innerColB = threadIdx.x % BN;
    const uint strideB = numThreads / BN;

    float threadResults[TM * TN] = {0.0f};
    float regM[TM] = {0.0f};
    float regN[TN] = {0.0f};

    for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
        for (uint off = 0; off < BM; off += strideA)
            As[(innerRowA + off) * BK + innerColA] = A[(innerRowA + off) * K + innerColA];
        for (uint off = 0; off < BK; off += strideB)
            Bs[(innerRowB + off) * BN + innerColB] = B[(innerRowB + off) * N + innerColB];
        __syncthreads();

        A += BK;
        B += BK * N;

        for (uint dot = 0; dot < BK; ++dot) {
            for (uint i = 0; i < TM; ++i)
                regM[i] = As[(threadRow * TM + i) * BK + dot];
            for (uint i = 0; i < TN; ++i)
                regN[i] = Bs[dot * BN + threadCol * TN + i];
            for (uint m = 0; m < TM; ++m)
                for (uint n = 0; n < TN; ++n)
                    threadResults[m * TN + n] += regM[m] * regN[n];
        }
        __syncthreads();
    }

    for (uint m = 0; m < TM; ++m) {
        for (uint n = 0; n < TN; ++n) {
            const uint o = (threadRow * TM + m) * N + threadCol * TN + n;
            C[o] = alpha * threadResults[m * TN + n] + beta * C[o];
        }
    }
}

// ---------- 3. batched -----------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(batch = 128, m = 512, k = 512, n = 512) in(a[1 << 26]) in(b[1 << 26]) inout(c[1 \
    << 26]) launch(dim3((n + 31) / 32, (m + 31) / 32, batch), dim3(32, 32))
__global__ void bmm_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                           int batch, int m, int k, int n)
{
    __shared__ float sa[32][32];
    __shared__ float sb[32][33];

    const int bz = blockIdx.z;
    a += (size_t)bz * m * k;
    b += (size_t)bz * k * n;
    c += (size_t)bz * m * n;

    const int i = blockIdx.y * 32 + threadIdx.y;
    const int j = blockIdx.x * 32 + threadIdx.x;

    float acc = 0.f;
    for (int k0 = 0; k0 < k; k0 += 32) {
        const int ka = k0 + threadIdx.x;
        const int kb = k0 + threadIdx.y;
        sa[threadIdx.y][threadIdx.x] = (i < m && ka < k) ? a[i * k + ka] : 0.f;
        sb[threadIdx.y][threadIdx.x] = (kb < k && j < n) ? b[kb * n + j] : 0.f;
        __syncthreads();

#pragma unroll
        for (int q = 0; q < 32; ++q)
            acc = fmaf(sa[threadIdx.y][q], sb[q][threadIdx.x], acc);
        __syncthreads();
    }

    if (i < m && j < n)
        c[i * n + j] = acc;
}

// ---------- 4. C = A^T * B, A stored K x M ---------------------------------
// 32x32 output tile, block (32, 8): every thread owns 4 rows of its column
constexpr int TS  = 32;
constexpr int RPT = 4;

#pragma cupilot optimize
#pragma cupilot workload(timed) set(M = 2048, N = 4096, K = 8192) in(At[1 << 26]) in(B[1 << 26]) inout(C[1 << 26]) \
    launch(dim3((N + 32 - 1) / 32, (M + 32 - 1) / 32), dim3(32, 32 / 4))
__global__ void gemm_tn(const float* At, const float* B, float* C, int M, int N, int K)
{
    __shared__ float tileA[TS][TS];   // [k][m]
    __shared__ float tileB[TS][TS];   // [k][n]

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int m0 = blockIdx.y * TS;
    const int n0 = blockIdx.x * TS;

    float acc[RPT] = {};

    for (int k0 = 0; k0 < K; k0 += TS) {
        for (int r = ty; r < TS; r += TS / RPT) {
            const int k = k0 + r;
            tileA[r][tx] = (k < K && m0 + tx < M) ? At[(size_t)k * M + m0 + tx] : 0.0f;
            tileB[r][tx] = (k < K && n0 + tx < N) ? B[(size_t)k * N + n0 + tx] : 0.0f;
        }
        __syncthreads();

        for (int kk = 0; kk < TS; ++kk) {
            const float bv = tileB[kk][tx];
#pragma unroll
            for (int r = 0; r < RPT; ++r)
                acc[r] += tileA[kk][ty * RPT + r] * bv;
        }
        __syncthreads();
    }

    for (int r = 0; r < RPT; ++r) {
        const int m = m0 + ty * RPT + r;
        if (m < M && n0 + tx < N)
            C[(size_t)m * N + n0 + tx] = acc[r];
    }
}

// ---------- 5. half in, float out, tensor cores through WMMA ---------------
// After the example in NVIDIA's blog post: each warp makes one 16x16 tile.
// Dimensions are multiples of 16.
using namespace nvcuda;

const int WMMA_M = 16;
const int WMMA_N = 16;
const int WMMA_K = 16;

#pragma cupilot optimize
#pragma cupilot workload(timed) set(M = 4096, N = 4096, K = 4096) in(a[1 << 26]) in(b[1 << 26]) inout(c[1 << 26]) \
    launch(dim3((M + 63) / 64, (N + 63) / 64), dim3(128, 4))
__global__ void wmma_gemm_f16f32(const half *a, const half *b, float *c, int M, int N, int K)
{
    int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int warpN = (blockIdx.y * blockDim.y + threadIdx.y);

    wmma::fragment<wmma::matrix_a, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> a_frag;
    wmma::fragment<wmma::matrix_b, WMMA_M, WMMA_N, WMMA_K, half, wmma::row_major> b_frag;
    wmma::fragment<wmma::accumulator, WMMA_M, WMMA_N, WMMA_K, float> acc_frag;

    wmma::fill_fragment(acc_frag, 0.0f);

    int aRow = warpM * WMMA_M;
    int bCol = warpN * WMMA_N;
    if (aRow >= M || bCol >= N) return;

    for (int i = 0; i < K; i += WMMA_K) {
        wmma::load_matrix_sync(a_frag, a + aRow * K + i, K);
        wmma::load_matrix_sync(b_frag, b + i * N + bCol, N);
        wmma::mma_sync(acc_frag, a_frag, b_frag, acc_frag);
    }

    wmma::store_matrix_sync(c + aRow * N + bCol, acc_frag, N, wmma::mem_row_major);
}

template __global__ void sgemm_2d_blocktiling<128, 128, 8, 8, 8>(int M, int N, int K, float alpha, const float *A,
                     const float *B, float beta, float *C);
//= matrixMulTiled: lifted
//= sgemm_2d_blocktiling.128.128.8.8.8: lifted
//= bmm_kernel: lifted
//= gemm_tn: lifted
//= wmma_gemm_f16f32: what 'fill_fragment' does is not known here
