// SPDX-License-Identifier: Apache-2.0
//
// Elements that are vectors and structures of several numbers.

struct Particle {
  float position[3];
  int cell;
  double weight;
};

// The square of a length is no length, and a root of it is none either, where both are zero.
#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 6000) in(v[n]) out(length[n])
#pragma cupilot workload(large) set(n = 1 << 23) in(v[n]) out(length[n])
__global__ void lengths(const float4 *v, float *length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 a = v[i];
  length[i] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 6000) in(from[n]) out(to[n]) fill(from = randint(0, 512))
#pragma cupilot workload(large) set(n = 1 << 22) in(from[n]) out(to[n]) fill(from = randint(0, 512))
__global__ void push(const Particle *from, Particle *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = from[i];
  for (int axis = 0; axis < 3; ++axis) p.position[axis] = p.position[axis] * 1.5f + axis;
  p.cell = p.cell * 8 + (p.position[0] > 0) + 2 * (p.position[1] > 0) + 4 * (p.position[2] > 0);
  p.weight = p.weight * 0.5 + p.cell;
  to[i] = p;
}

void structures(const float4 *v, float *length, const Particle *from, Particle *to, int n) {
  lengths<<<(n + 255) / 256, 256>>>(v, length, n);
  push<<<(n + 255) / 256, 256>>>(from, to, n);
}
