// SPDX-License-Identifier: Apache-2.0
//
// One explicit step of the heat equation on a regular grid: seven points, one thread a point.

#include "stencil7.h"

#pragma cupilot optimize
#pragma cupilot workload(large) set(nx = 512, ny = 512, nz = 256) in(u[nx * ny * nz]) inout(v[nx * ny * nz])
#pragma cupilot workload(odd) set(nx = 37, ny = 21, nz = 11) in(u[nx * ny * nz]) inout(v[nx * ny * nz]) check
__global__ void stencil7_kernel(const float *u, float *v, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;

  int i = (z * ny + y) * nx + x;
  v[i] = 0.4f * u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - nx * ny] + u[i + nx * ny]);
}

void stencil7(const float *u, float *v, int nx, int ny, int nz, cudaStream_t stream) {
  const dim3 grid((nx + 7) / 8, (ny + 7) / 8, (nz + 7) / 8);
  stencil7_kernel<<<grid, dim3(8, 8, 8), 0, stream>>>(u, v, nx, ny, nz);
}
