// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Shared memory kernels: tiled matrix products and an L1 normalisation
#include <cuda_runtime.h>

#define TILE_WIDTH 32
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

// [M,K] x [K,N] -> [M,N]
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 1024, K = 4096, N = 2048) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32))
#pragma cupilot workload(ragged) set(M = 100, K = 75, N = 131) in(A[M * K], B[K * N]) out(C[M * N]) launch(dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)) check
__global__ void MatMulTiled(const float* __restrict__ A, const float* __restrict__ B,
                            float* __restrict__ C, int M, int K, int N)
{
    __shared__ float As[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Bs[TILE_WIDTH][TILE_WIDTH];

    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;

    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;

    float Pvalue = 0;
    for (int p = 0; p < CEIL_DIV(K, TILE_WIDTH); ++p) {
        if (Row < M && p * TILE_WIDTH + tx < K)
            As[ty][tx] = A[Row * K + p * TILE_WIDTH + tx];
        else
            As[ty][tx] = 0.0f;

        if (p * TILE_WIDTH + ty < K && Col < N)
            Bs[ty][tx] = B[(p * TILE_WIDTH + ty) * N + Col];
        else
            Bs[ty][tx] = 0.0f;

        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; ++k)
            Pvalue += As[ty][k] * Bs[k][tx];

        __syncthreads();
    }

    if (Row < M && Col < N)
        C[Row * N + Col] = Pvalue;
}

// C[m,n] = sum_k A[k,m] * B[k,n]
#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 1024, N = 2048, K = 4096) in(A[K * M], B[K * N]) out(C[M * N]) launch(dim3((M + 15) / 16, (N + 15) / 16), dim3(16, 16))
#pragma cupilot workload(ragged) set(M = 50, N = 91, K = 67) in(A[K * M], B[K * N]) out(C[M * N]) launch(dim3((M + 15) / 16, (N + 15) / 16), dim3(16, 16)) check
__global__ void gemm_tn(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sa[16][17];
    __shared__ float sb[16][17];

    // x runs over M here, y over N
    const int m0 = blockIdx.x * 16;
    const int n0 = blockIdx.y * 16;
    const int tx = threadIdx.x, ty = threadIdx.y;

    float acc = 0.f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        // both operands are read along their fast axis
        sa[ty][tx] = (k0 + ty < K && m0 + tx < M) ? A[(k0 + ty) * M + (m0 + tx)] : 0.f;
        sb[ty][tx] = (k0 + ty < K && n0 + tx < N) ? B[(k0 + ty) * N + (n0 + tx)] : 0.f;
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 16; kk++)
            acc += sa[kk][ty] * sb[kk][tx];
        __syncthreads();
    }

    const int m = m0 + ty;
    const int n = n0 + tx;
    if (m >= M || n >= N) return;
    C[m * N + n] = acc;
}

// C[m,n] = sum_k A[m,k] * B[n,k]
#pragma cupilot optimize
#pragma cupilot workload(large) set(m = 2048, n = 1024, k = 2048, lda = 2048, ldb = 2048, ldc = 1024) in(a[m * lda], b[n * ldb]) out(c[m * ldc]) launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16))
#pragma cupilot workload(ragged) set(m = 35, n = 70, k = 45, lda = 45, ldb = 45, ldc = 70) in(a[m * lda], b[n * ldb]) out(c[m * ldc]) launch(dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)) check
__global__ void sgemm_nt_16x16(int m, int n, int k,
                               const float *a, int lda,
                               const float *b, int ldb,
                               float *c, int ldc)
{
    const int BS = 16;
    __shared__ float a_tile[BS * BS];
    __shared__ float b_tile[BS * (BS + 1)];   // stored transposed, padded

    int i = blockIdx.y * BS + threadIdx.y;
    int j = blockIdx.x * BS + threadIdx.x;
    int jrow = blockIdx.x * BS + threadIdx.y;  // row of b that this thread fetches

    float sum = 0.0f;
    int k0 = 0;
    while (k0 < k) {
        int kc = k0 + threadIdx.x;
        float av = 0.0f, bv = 0.0f;
        if (i < m && kc < k) av = a[i * lda + kc];
        if (jrow < n && kc < k) bv = b[jrow * ldb + kc];
        a_tile[threadIdx.y * BS + threadIdx.x] = av;
        b_tile[threadIdx.x * (BS + 1) + threadIdx.y] = bv;
        __syncthreads();

        #pragma unroll 4
        for (int t = 0; t < BS; t++) {
            sum = fmaf(a_tile[threadIdx.y * BS + t], b_tile[t * (BS + 1) + threadIdx.x], sum);
        }
        __syncthreads();
        k0 += BS;
    }

    if (i < m && j < n) {
        c[i * ldc + j] = sum;
    }
}

// batched: blockIdx.z is the batch
#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 128, M = 128, K = 256, N = 512) in(A[batch * M * K], B[batch * K * N]) out(C[batch * M * N]) launch(dim3((N + 15) / 16, (M + 15) / 16, batch), dim3(16, 16, 1))
#pragma cupilot workload(ragged) set(batch = 3, M = 20, K = 33, N = 41) in(A[batch * M * K], B[batch * K * N]) out(C[batch * M * N]) launch(dim3((N + 15) / 16, (M + 15) / 16, batch), dim3(16, 16, 1)) check
__global__ void bmm_kernel(const float* A, const float* B, float* C, int batch, int M, int K, int N) {
    __shared__ float tileA[16][16], tileB[16][16];
    int bz = blockIdx.z;
    if (bz >= batch) return;

    const float* Ab = A + (size_t)bz * M * K;
    const float* Bb = B + (size_t)bz * K * N;
    float* Cb = C + (size_t)bz * M * N;

    int r = blockIdx.y * 16 + threadIdx.y;
    int c = blockIdx.x * 16 + threadIdx.x;
    float value = 0.0f;
    int numTiles = (K - 1) / 16 + 1;
    for (int t = 0; t < numTiles; t++) {
        int ka = t * 16 + threadIdx.x;
        int kb = t * 16 + threadIdx.y;
        tileA[threadIdx.y][threadIdx.x] = (r < M && ka < K) ? Ab[r * K + ka] : 0.0f;
        tileB[threadIdx.y][threadIdx.x] = (kb < K && c < N) ? Bb[kb * N + c] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; k++) value += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
        __syncthreads();
    }
    if (r < M && c < N) Cb[r * N + c] = value;
}

// x / mean(|x|) per row, one block per row, blockDim.x floats of dynamic shared memory
#pragma cupilot optimize
#pragma cupilot workload(large) set(dim = 16384) in(x[2048 * dim]) out(out[2048 * dim]) launch(2048, 512, 512 * 4)
#pragma cupilot workload(small) set(dim = 1001) in(x[13 * dim]) out(out[13 * dim]) launch(13, 128, 128 * 4) check
__global__ void l1_norm_rows(const float *x, float *out, int dim)
{
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    const float *xr = x + (size_t)blockIdx.x * dim;
    float *outr = out + (size_t)blockIdx.x * dim;

    float local = 0.0f;
    for (unsigned int i = tid; i < dim; i += blockDim.x)
        local += fabsf(xr[i]);
    sdata[tid] = local;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    float mean_abs = sdata[0] / (float)dim;
    for (unsigned int i = tid; i < dim; i += blockDim.x)
        outr[i] = xr[i] / mean_abs;
}
//= MatMulTiled: lifted
//= gemm_tn: lifted
//= sgemm_nt_16x16: lifted
//= bmm_kernel: lifted
//= l1_norm_rows: lifted
