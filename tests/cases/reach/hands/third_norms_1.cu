// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// Simple kernels, one thread computes one output (or one row).
#include <cuda_runtime.h>
#include <math.h>

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24) in(input[n]) out(output[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 7919) in(input[n]) out(output[n]) launch((n + 255) / 256, 256) check
__global__ void relu_forward(const float *input, float *output, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float v = input[i];
    output[i] = v > 0.0f ? v : 0.0f;
}

// C = A * B, all N x N, row major
#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 2048) in(A[N * N], B[N * N]) out(C[N * N]) launch(dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16))
#pragma cupilot workload(odd) set(N = 173) in(A[N * N], B[N * N]) out(C[N * N]) launch(dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)) check
__global__ void matmul_square_naive(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; k++) {
            sum += A[row * N + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24, slope = 0.01) in(x[n]) out(y[n]) launch(2048, 256)
#pragma cupilot workload(small) set(n = 10007, slope = 0.2) in(x[n]) out(y[n]) launch(16, 256) check
__global__ void leaky_relu_gs(const float *x, float *y, float slope, int n)
{
    for (int idx = blockIdx.x * blockDim.x + threadIdx.x; idx < n; idx += blockDim.x * gridDim.x) {
        if (x[idx] > 0.0f)
            y[idx] = x[idx];
        else
            y[idx] = slope * x[idx];
    }
}

// one thread handles a whole row
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 16384, cols = 1024) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128)
#pragma cupilot workload(small) set(rows = 300, cols = 77) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 127) / 128, 128) check
__global__ void softmax_row_per_thread(const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    x += row * cols;
    y += row * cols;

    // max for numerical stability
    float mx = x[0];
    for (int j = 1; j < cols; ++j)
        mx = fmaxf(mx, x[j]);

    float denom = 0.f;
    for (int j = 0; j < cols; ++j) {
        float e = expf(x[j] - mx);
        y[j] = e;
        denom += e;
    }

    float inv = 1.f / denom;
    for (int j = 0; j < cols; ++j)
        y[j] *= inv;
}

// 2-D version, matrix of rows x cols
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4096, cols = 4096, lo = -1.0, hi = 1.0) in(src[rows * cols]) out(dst[rows * cols]) launch(dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8))
#pragma cupilot workload(small) set(rows = 101, cols = 203, lo = -0.5, hi = 0.75) in(src[rows * cols]) out(dst[rows * cols]) launch(dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)) check
__global__ void hardtanh2d(const float *src, float *dst, int rows, int cols, float lo, float hi)
{
    const int c = threadIdx.x + blockIdx.x * blockDim.x;
    const int r = threadIdx.y + blockIdx.y * blockDim.y;
    if (r < rows) {
        if (c < cols) {
            float val = src[r * cols + c];
            if (val < lo) val = lo;
            if (val > hi) val = hi;
            dst[r * cols + c] = val;
        }
    }
}
//= relu_forward: lifted
//= matmul_square_naive: lifted
//= leaky_relu_gs: lifted
//= softmax_row_per_thread: lifted
//= hardtanh2d: lifted
