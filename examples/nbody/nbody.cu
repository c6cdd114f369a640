// SPDX-License-Identifier: Apache-2.0
//
// Gravitational acceleration of all bodies by all others, with softening: one thread a body.

#include "nbody.h"

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 16384) in(bodies[n]) out(accelerations[n])
#pragma cupilot workload(odd) set(n = 515) in(bodies[n]) out(accelerations[n]) check
__global__ void nbody_kernel(const float4 *bodies, float4 *accelerations, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float4 self = bodies[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int j = 0; j < n; ++j) {
    float4 other = bodies[j];
    float dx = other.x - self.x;
    float dy = other.y - self.y;
    float dz = other.z - self.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    float pull = other.w * inverse * inverse * inverse;
    ax += pull * dx;
    ay += pull * dy;
    az += pull * dz;
  }
  accelerations[i] = make_float4(ax, ay, az, 0.0f);
}

void nbody(const float4 *bodies, float4 *accelerations, int n, cudaStream_t stream) {
  nbody_kernel<<<(n + 255) / 256, 256, 0, stream>>>(bodies, accelerations, n);
}
