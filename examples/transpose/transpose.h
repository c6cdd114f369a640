// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// out[x * height + y] = in[y * width + x]; both row-major, on the device, not overlapping.
void transpose(const float *in, float *out, int width, int height, cudaStream_t stream);
