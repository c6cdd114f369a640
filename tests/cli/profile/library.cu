// SPDX-License-Identifier: Apache-2.0
// Of which only the object is there.
#include "kernels.cuh"

template <class T>
__global__ void halve(T *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] /= 2;
}

void from_library(float *x, int n) { halve<<<2, 256>>>(x, n); }
