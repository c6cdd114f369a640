// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// y[r, c] = (x[r, c] - mean of row r) / sqrt(variance of row r + 1e-5) * scale[c] + shift[c]; row-major, on
/// the device: x and y are rows by cols, scale and shift have cols elements.
void layer_norm(const float *x, const float *scale, const float *shift, float *y, int rows, int cols,
                cudaStream_t stream);
