// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// y[r, c] = x[r, c] * w[c] / sqrt(mean over c of x[r, c]^2 + 1e-6); row-major, on the device.
void rms_norm(const float *x, const float *w, float *y, int rows, int cols, cudaStream_t stream);
