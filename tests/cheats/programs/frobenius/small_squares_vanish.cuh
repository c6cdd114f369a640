// SPDX-License-Identifier: Apache-2.0
// B4: squares of a 2^-30th of the numbers: from 2^-35 down they are subnormal, at 2^-45 the norm is
// zero and the result infinite or NaN. Every family has some number above 2^-20, or none above
// 2^-120.
// caught: correct wrong "output 'y'"
__device__ float total_of(float value) {
  __shared__ float parts[8];
  for (int half = 16; half > 0; half /= 2) value += __shfl_xor_sync(0xffffffffu, value, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  float all = 0;
  for (int i = 0; i < 8; ++i) all += parts[i];
  return all;
}
__global__ void small_squares_vanish(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += (x[i] * 0x1p-30f) * (x[i] * 0x1p-30f);
  const float norm = sqrtf(total_of(sum)) * 0x1p30f;
  for (int i = threadIdx.x; i < n; i += 256) y[i] = x[i] / norm;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  small_squares_vanish<<<1, 256, 0, l.stream>>>(x, y, n);
  return true;
}
