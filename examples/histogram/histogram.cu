// SPDX-License-Identifier: Apache-2.0
//
// Histogram of whole numbers, one thread an element. The counts begin at zero, and all threads add to them in
// global memory.

#include "histogram.h"

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26, bins = 256) in(x[n]) inout(counts[bins]) \
    fill(x = randint(0, 256), counts = zeros)
#pragma cupilot workload(odd) set(n = 100003, bins = 256) in(x[n]) inout(counts[bins]) \
    fill(x = randint(0, 256), counts = zeros) check
__global__ void histogram_kernel(const int *x, unsigned *counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] >= 0 && x[i] < bins) atomicAdd(&counts[x[i]], 1u);
}

void histogram(const int *x, unsigned *counts, int n, int bins, cudaStream_t stream) {
  cudaMemsetAsync(counts, 0, bins * sizeof(unsigned), stream);
  histogram_kernel<<<(n + 255) / 256, 256, 0, stream>>>(x, counts, n, bins);
}
