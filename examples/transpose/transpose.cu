// SPDX-License-Identifier: Apache-2.0
//
// Out-of-place transpose of a row-major matrix through a shared tile, as textbooks show it.

#include "transpose.h"

namespace {

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of threads; each thread moves kTile / kRows elements

#pragma cupilot optimize
#pragma cupilot workload(square) set(width = 8192, height = 8192) in(in[width * height]) out(out[width * height])
#pragma cupilot workload(odd) set(width = 1003, height = 517) in(in[width * height]) out(out[width * height]) check
__global__ void transpose_kernel(const float *in, float *out, int width, int height) {
  __shared__ float tile[kTile][kTile];

  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

  __syncthreads();

  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

}  // namespace

void transpose(const float *in, float *out, int width, int height, cudaStream_t stream) {
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  transpose_kernel<<<grid, dim3(kTile, kRows), 0, stream>>>(in, out, width, height);
}
