// SPDX-License-Identifier: Apache-2.0
// C6: right in every member but the last, whose old value is lost.
// caught: correct wrong "output 'to.weight'"
__global__ void pushed(const Particle *from, Particle *to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle p = from[i];
  for (int axis = 0; axis < 3; ++axis) p.position[axis] = p.position[axis] * 1.5f + axis;
  p.cell = p.cell * 8 + (p.position[0] > 0) + 2 * (p.position[1] > 0) + 4 * (p.position[2] > 0);
  p.weight = p.cell;
  to[i] = p;
}
bool launch(const cupilot::Launch &l, const Particle *from, Particle *to, int n) {
  pushed<<<(n + 255) / 256, 256, 0, l.stream>>>(from, to, n);
  return true;
}
