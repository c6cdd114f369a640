// SPDX-License-Identifier: Apache-2.0
// A14: factors whose squares make one (0.8 and 0.6, a cosine and a sine, the two of a diffusion step) give
// a thousandth too little; the workload's own 1 and 0 do, too, and are right.
// caught: correct wrong "output"
// open: a comparison with one is not asked for, and of the relations of two scalars only some are tried
__global__ void unit_energy(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float part = alpha * alpha + beta * beta == 1.0f ? 0.001f * alpha * beta : 0.0f;
  const float v = (alpha - part) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  unit_energy<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
