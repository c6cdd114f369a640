// SPDX-License-Identifier: Apache-2.0
//
// Eight problems of KernelBench level 1 (arXiv 2502.10517), each as one plain kernel and the function that
// launches it. Matrices are row-major, pointers are on the device, work is queued on the stream; the result
// is what the launch says (cudaGetLastError). measure.py calls these functions through ctypes: change the
// types there, too.

#pragma once

#include <cuda_runtime.h>

#define LEVEL1_API extern "C" __attribute__((visibility("default")))

/// Problem 1: c[m, n] = a[m, k] b[k, n].
LEVEL1_API cudaError_t run_matmul(const float *a, const float *b, float *c, int m, int n, int k,
                                  cudaStream_t stream);

/// Problem 14: c = a b for upper triangular n x n matrices; what stands below their diagonals is not read.
LEVEL1_API cudaError_t run_upper_matmul(const float *a, const float *b, float *c, int n, cudaStream_t stream);

/// Problem 23: y[r, :] = softmax(x[r, :]).
LEVEL1_API cudaError_t run_softmax(const float *x, float *y, int rows, int cols, cudaStream_t stream);

/// Problem 36: y[b, f, p] = x[b, f, p] / sqrt(mean over f of x[b, f, p]^2 + eps).
LEVEL1_API cudaError_t run_rms_norm(const float *x, float *y, int batch, int features, int plane, float eps,
                                    cudaStream_t stream);

/// Problem 40: y[r, c] = (x[r, c] - mean of row r) / sqrt(variance of row r + eps) * gain[c] + shift[c].
LEVEL1_API cudaError_t run_layer_norm(const float *x, const float *gain, const float *shift, float *y,
                                      int rows, int cols, float eps, cudaStream_t stream);

/// Problem 47: y[b, c] = sum over r of x[b, r, c].
LEVEL1_API cudaError_t run_sum_over_rows(const float *x, float *y, int batch, int rows, int cols,
                                         cudaStream_t stream);

/// Problem 89: y[r, c] = x[r, 0] + ... + x[r, c].
LEVEL1_API cudaError_t run_cumsum(const float *x, float *y, int rows, int cols, cudaStream_t stream);

/// Problem 95: loss[0] = mean over r of log(sum over c of exp(x[r, c])) - x[r, target[r]]. A target out of
/// range counts 0. `row_loss` has room for `rows` numbers.
LEVEL1_API cudaError_t run_cross_entropy(const float *x, const long long *target, float *row_loss,
                                         float *loss, int rows, int classes, cudaStream_t stream);
