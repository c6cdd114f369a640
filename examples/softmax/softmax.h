// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// y[r, c] = exp(x[r, c]) / sum over j of exp(x[r, j]); row-major, on the device, rows by cols.
void softmax(const float *x, float *y, int rows, int cols, cudaStream_t stream);
