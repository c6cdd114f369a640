// SPDX-License-Identifier: Apache-2.0
#include <cupilot/pragma.h>

CUPILOT_PRAGMA(optimize)
__global__ void fill(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1;
}

void fill_all(float *x, int n) {
  fill<<<(n + 255) / 256, 256>>>(x, n);
}
