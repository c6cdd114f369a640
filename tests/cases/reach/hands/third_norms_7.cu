// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Structured matrices and tensors times matrix
#include <cuda_runtime.h>

typedef unsigned int uint_t;

// A, B lower triangular => C lower triangular, zeros above the diagonal
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 2048) in(A[n * n], B[n * n]) out(C[n * n]) launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8))
#pragma cupilot workload(odd) set(n = 119) in(A[n * n], B[n * n]) out(C[n * n]) launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)) check
__global__ void trmm_lower(const float *A, const float *B, float *C, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;

    if (j > i) {
        C[i * n + j] = 0.f;
        return;
    }

    float s = 0.f;
    for (int k = j; k <= i; ++k)
        s += A[i * n + k] * B[k * n + j];
    C[i * n + j] = s;
}

// C = A * B with A symmetric; only the lower triangle of A is referenced.
// x index runs over the rows.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1024) in(A[n * n], B[n * n]) out(C[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16))
#pragma cupilot workload(odd) set(n = 93) in(A[n * n], B[n * n]) out(C[n * n]) launch(dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)) check
__global__ void symm_lower(const double *A, const double *B, double *C, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;

    if (row < n && col < n) {
        double acc = 0.0;
        int k = 0;
        // stored part of the row
        for (; k <= row; k++)
            acc += A[row * n + k] * B[k * n + col];
        // mirrored part: walk down the column
        for (; k < n; k++)
            acc += A[k * n + row] * B[k * n + col];
        C[row * n + col] = acc;
    }
}

// diag(d) * B
#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 4096, M = 4096) in(d[N], B[N * M]) out(C[N * M]) launch(4096, 256)
#pragma cupilot workload(small) set(N = 201, M = 77) in(d[N], B[N * M]) out(C[N * M]) launch(16, 256) check
__global__ void diag_matmul(const float *d, const float *B, float *C, uint_t N, uint_t M)
{
    const uint_t total = N * M;
    const uint_t nthreads = gridDim.x * blockDim.x;
    uint_t id = blockIdx.x * blockDim.x + threadIdx.x;
    while (id < total) {
        C[id] = d[id / M] * B[id];
        id += nthreads;
    }
}

// [N,M,K] x [K,L] -> [N,M,L]. One block per (m, n): the K vector sits in dynamic shared memory.
#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 16, M = 1024, K = 2048, L = 768) in(T[N * M * K], W[K * L]) out(R[N * M * L]) launch(dim3(M, N), 256, K * 4)
#pragma cupilot workload(small) set(N = 2, M = 9, K = 57, L = 300) in(T[N * M * K], W[K * L]) out(R[N * M * L]) launch(dim3(M, N), 256, K * 4) check
__global__ void tensor3d_matmul(const float *T, const float *W, float *R, int N, int M, int K, int L)
{
    extern __shared__ float vec[];

    const int m = blockIdx.x;
    const int n = blockIdx.y;
    T += (n * M + m) * K;
    R += (n * M + m) * L;

    for (int k = threadIdx.x; k < K; k += blockDim.x)
        vec[k] = T[k];
    __syncthreads();

    for (int l = threadIdx.x; l < L; l += blockDim.x) {
        const float *w = W + l;
        float acc = 0.0f;
        for (int k = 0; k < K; k++, w += L)
            acc += vec[k] * *w;
        R[l] = acc;
    }
}

// einsum("bijl,lk->bijk")
#pragma cupilot optimize
#pragma cupilot workload(large) set(b = 8, I = 64, J = 128, L = 256, K = 768) in(X[b * I * J * L], Y[L * K]) out(Z[b * I * J * K]) launch((b * I * J * K + 255) / 256, 256)
#pragma cupilot workload(small) set(b = 2, I = 3, J = 5, L = 31, K = 43) in(X[b * I * J * L], Y[L * K]) out(Z[b * I * J * K]) launch((b * I * J * K + 255) / 256, 256) check
__global__ void tensor4d_matmul(const float *X, const float *Y, float *Z, int b, int I, int J, int L, int K)
{
    size_t idx = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= (size_t)b * I * J * K) return;

    int k = idx % K;
    size_t rest = idx / K;
    int j = rest % J;
    rest /= J;
    int i = rest % I;
    int bb = rest / I;

    const float *xrow = &X[((bb * I + i) * J + j) * L];
    float sum = 0.0f;
#pragma unroll 4
    for (int l = 0; l < L; ++l)
        sum += xrow[l] * __ldg(&Y[l * K + k]);
    Z[idx] = sum;
}
//= trmm_lower: lifted
//= symm_lower: lifted
//= diag_matmul: lifted
//= tensor3d_matmul: lifted
//= tensor4d_matmul: lifted
