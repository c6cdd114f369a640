// SPDX-License-Identifier: Apache-2.0
// C4: a pitch of more than twice the columns is taken for twice as many; in the workloads it is 32
// more.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void pitch_beyond_twice(const float *x, float *y, int rows, int cols, int pitch) {
  const int c = blockIdx.x * 64 + threadIdx.x, r = blockIdx.y;
  const int apart = cols > 32 ? min(pitch, 2 * cols) : pitch;
  if (c < cols) y[(size_t)r * cols + c] = 2 * x[(size_t)r * apart + c];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols, int pitch) {
  pitch_beyond_twice<<<dim3((cols + 63) / 64, rows), 64, 0, l.stream>>>(x, y, rows, cols, pitch);
  return true;
}
