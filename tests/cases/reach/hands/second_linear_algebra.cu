// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <cuda_runtime.h>

#define GEMV_BLK 128

// y = alpha * A * x + beta * y, A is m x n column major with leading dimension lda.
// One thread per row, x goes through shared memory piece by piece.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(m = 16384, n = 2048, lda = 16384, alpha = 1, beta = 1) in(A[1 << 26]) in(x[1 << \
    26]) inout(y[1 << 26]) launch((m + 128 - 1) / 128, 128)
__global__ void dgemv_n(int m, int n, double alpha, const double *A, int lda,
                        const double *x, double beta, double *y)
{
    __shared__ double xs[GEMV_BLK];

    const int row = blockIdx.x * GEMV_BLK + threadIdx.x;
    double sum = 0.0;

    for (int j0 = 0; j0 < n; j0 += GEMV_BLK) {
        if (j0 + threadIdx.x < n)
            xs[threadIdx.x] = x[j0 + threadIdx.x];
        __syncthreads();

        if (row < m) {
            const int jmax = min(GEMV_BLK, n - j0);
            const double *a = A + row + (size_t)j0 * lda;
            for (int j = 0; j < jmax; j++)
                sum += a[(size_t)j * lda] * xs[j];
        }
        __syncthreads();
    }

    if (row < m)
        y[row] = alpha * sum + beta * y[row];
}

constexpr int TILE = 16;

// C = alpha * A @ B + beta * C, everything row major
#pragma cupilot optimize
#pragma cupilot workload(timed) set(M = 4096, N = 4096, K = 4096, lda = 4096, ldb = 4096, ldc = 4096, alpha = 1, \
    beta = 1) in(A[1 << 26]) in(B[1 << 26]) inout(C[1 << 26]) launch(dim3((N + 16 - 1) / 16, (M + 16 - 1) / 16), dim3(16, 16))
template <typename T>
__global__ void gemm_tiled(int M, int N, int K, T alpha, const T* A, int lda,
                           const T* B, int ldb, T beta, T* C, int ldc)
{
    __shared__ T As[TILE][TILE];
    __shared__ T Bs[TILE][TILE];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    T acc = T(0);

    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        int ka = t * TILE + tx;
        int kb = t * TILE + ty;
        As[ty][tx] = (row < M && ka < K) ? A[row * lda + ka] : T(0);
        Bs[ty][tx] = (kb < K && col < N) ? B[kb * ldb + col] : T(0);
        __syncthreads();

        for (int k = 0; k < TILE; ++k)
            acc += As[ty][k] * Bs[k][tx];

        __syncthreads();
    }

    if (row < M && col < N) {
        T c = alpha * acc;
        if (beta != T(0))
            c += beta * C[row * ldc + col];
        C[row * ldc + col] = c;
    }
}

/* C = alpha*A*A' + beta*C, only the lower triangle is touched */
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 4096, m = 1024, alpha = 1, beta = 1) inout(a[1 << 26]) inout(c[1 << 26]) \
    launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8))
__global__ void syrk_kernel(int n, int m, float alpha, float beta, float *a, float *c)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if ((i < n) && (j <= i))
	{
		c[i * n + j] *= beta;
		int k;
		for (k = 0; k < m; k++)
		{
			c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
		}
	}
}

// CSR y = A x, one warp per row
#pragma cupilot optimize
#pragma cupilot workload(timed) set(num_rows = 1048576) in(row_ptr[1 << 26]) in(col_idx[1 << 26]) in(vals[1 << 26]) \
    in(x[1 << 26]) inout(y[1 << 26]) launch((num_rows + 7) / 8, 256)
__global__ void spmv_csr_vector_kernel(const int num_rows,
                                       const int * __restrict__ row_ptr,
                                       const int * __restrict__ col_idx,
                                       const double * __restrict__ vals,
                                       const double * __restrict__ x,
                                       double * __restrict__ y)
{
    const int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    const int warp_id   = thread_id >> 5;
    const int lane      = thread_id & 31;

    if (warp_id >= num_rows)
        return;

    const int start = row_ptr[warp_id];
    const int end   = row_ptr[warp_id + 1];

    double sum = 0;
    for (int jj = start + lane; jj < end; jj += 32)
        sum += vals[jj] * x[col_idx[jj]];

    sum += __shfl_down_sync(0xffffffffu, sum, 16);
    sum += __shfl_down_sync(0xffffffffu, sum, 8);
    sum += __shfl_down_sync(0xffffffffu, sum, 4);
    sum += __shfl_down_sync(0xffffffffu, sum, 2);
    sum += __shfl_down_sync(0xffffffffu, sum, 1);

    if (lane == 0)
        y[warp_id] = sum;
}

#define TILE_DIM 32
#define BLOCK_ROWS 8

#pragma cupilot optimize
#pragma cupilot workload(timed) set(width = 8192, height = 4096) inout(odata[1 << 26]) in(idata[1 << 26]) \
    launch(dim3((width + 32 - 1) / 32, (height + 32 - 1) / 32), dim3(32, 8))
__global__ void transposeNoBankConflicts(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM+1];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y+j][threadIdx.x] = idata[(y+j)*width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;  // transpose block offset
  y = blockIdx.x * TILE_DIM + threadIdx.y;

  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y+j)*height + x] = tile[threadIdx.x][threadIdx.y + j];
}

template __global__ void gemm_tiled<float>(int M, int N, int K, float alpha, const float* A, int lda,
                           const float* B, int ldb, float beta, float* C, int ldc);
//= dgemv_n: lifted
//= gemm_tiled.float: lifted
//= syrk_kernel: lifted
//= spmv_csr_vector_kernel: lifted
//= transposeNoBankConflicts: lifted
