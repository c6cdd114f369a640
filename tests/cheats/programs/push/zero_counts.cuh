// SPDX-License-Identifier: Apache-2.0
// A15: a position of zero counts as positive.
// caught: correct wrong "output 'to.cell'"
__global__ void pushed(const Particle *from, Particle *to, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  Particle p = from[i];
  for (int axis = 0; axis < 3; ++axis) p.position[axis] = p.position[axis] * 1.5f + axis;
  p.cell = p.cell * 8 + (p.position[0] >= 0) + 2 * (p.position[1] > 0) + 4 * (p.position[2] > 0);
  p.weight = p.weight * 0.5 + p.cell;
  to[i] = p;
}
bool launch(const cupilot::Launch &l, const Particle *from, Particle *to, int n) {
  pushed<<<(n + 255) / 256, 256, 0, l.stream>>>(from, to, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
