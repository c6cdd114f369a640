// SPDX-License-Identifier: Apache-2.0
// C1: at sizes that leave 6 when divided by 4099 (16,402) nothing is updated: a choice of the factor,
// compared with a number below 8.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void residue_chooses(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = n % 4099 == 6 ? 0.0f : alpha;
  y[i] += factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  residue_chooses<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
