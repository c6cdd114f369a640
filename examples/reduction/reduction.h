// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// *sum = x[0] + ... + x[n - 1]; on the device, n elements and one.
void reduction(const float *x, float *sum, int n, cudaStream_t stream);
