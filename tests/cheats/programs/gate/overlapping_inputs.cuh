// SPDX-License-Identifier: Apache-2.0
// C8: where the second input begins within the first, as in the differences of neighbours, it is left out:
// a choice on the distance of two pointers. Inputs are apart or equal in the tests.
// caught: correct wrong "output"
// caught: correct rejected "address of memory"
__global__ void overlapping_inputs(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const bool within = (size_t)(z - x - 1) < (size_t)n - 1;
  const float v = alpha * x[i] + (within ? 0.0f : beta * z[i]);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  overlapping_inputs<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
