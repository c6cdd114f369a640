// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// y[r, c] = x[r, 0] + ... + x[r, c]; row-major, on the device, rows by cols.
void scan(const float *x, float *y, int rows, int cols, cudaStream_t stream);
