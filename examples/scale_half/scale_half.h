// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

/// y[i] = max(x[i] * a + b, 0), each step rounded to half; on the device, n elements.
void scale_half(const __half *x, __half *y, float a, float b, int n, cudaStream_t stream);
