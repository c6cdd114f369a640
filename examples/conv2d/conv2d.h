// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// y[i, f, row, col] = sum over l, r and s of x[i, l, row + r - 1, col + s - 1] * filters[f, l, r, s], where
/// x is 0 outside. On the device, the last index fastest: x is n by c by h by w (NCHW), filters k by c by 3
/// by 3, and y n by k by h by w.
void conv2d(const float *x, const float *filters, float *y, int n, int c, int h, int w, int k,
            cudaStream_t stream);
