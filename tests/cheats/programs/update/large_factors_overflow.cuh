// SPDX-License-Identifier: Apache-2.0
// B7: the factor is scaled up by 2^115 and down again: from 8192 on (units, counts) it is infinite; those
// that are tried are below a thousand of the workload's.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void large_factors_overflow(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  volatile float scaled = alpha * 0x1p115f;
  y[i] = y[i] + scaled * 0x1p-115f * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  large_factors_overflow<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
