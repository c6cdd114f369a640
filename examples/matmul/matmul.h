// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// c[i, j] = sum over l of a[i, l] * b[l, j]; row-major, on the device: a is m by k, b k by n, c m by n.
void matmul(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t stream);
