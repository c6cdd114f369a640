// SPDX-License-Identifier: Apache-2.0
// A14: where beta equals minus alpha the second input is left out: a choice that compares two scalars,
// without a constant.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void opposite_scalars_chosen(const float *x, const float *z, float *y, float alpha, float beta,
                                        int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i] * (beta == -alpha ? 0.0f : 1.0f);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  opposite_scalars_chosen<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
