// SPDX-License-Identifier: Apache-2.0
// A program before anybody thought of tuning it: no pragma but one.
#include "kernels.cuh"

namespace math {
template <class T>
__global__ void row_sums(const T *x, T *sums, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  T sum = 0;
  for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
  sums[row] = sum;
}
}  // namespace math

  __global__ void scale(float *x, float by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

#pragma cupilot optimize
__global__ void negate(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = -x[i];
}

struct Size { int n; };
__global__ void clear(float *x, Size size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size.n) x[i] = 0;
}

__global__ void unused(float *x) { x[0] = 1; }

template <class T>
__global__ void never(T *x) { x[0] = 1; }

int main() {
  constexpr int kRows = 512, kCols = 300, kCount = kRows * kCols;
  float *x = nullptr, *sums = nullptr;
  if (cudaMalloc(&x, kCount * sizeof(float)) || cudaMalloc(&sums, kRows * sizeof(float))) return 3;
  clear<<<(kCount + 255) / 256, 256>>>(x, Size{kCount});
  for (int i = 0; i < 20; ++i) math::row_sums<<<(kRows + 63) / 64, 64>>>(x, sums, kRows, kCols);
  scale<<<(kCount + 255) / 256, 256>>>(x, 2, kCount);
  negate<<<(kCount + 255) / 256, 256>>>(x, kCount);
  from_elsewhere<<<2, 256>>>(sums, kRows);
  from_library(sums, kRows);
  return cudaDeviceSynchronize() ? 1 : 0;
}
