// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

/// counts[v] = how many of the n elements of x are v, for each v from 0 to bins - 1; on the device.
void histogram(const int *x, unsigned *counts, int n, int bins, cudaStream_t stream);
