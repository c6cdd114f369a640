// SPDX-License-Identifier: Apache-2.0
// C8: where the second input is the first from its next element on, one load serves two; the last element
// gets the wrong one.
// caught: correct wrong "begins within"
__global__ void two_loads(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
__global__ void one_load(const float *x, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * x[i + 1 < n ? i + 1 : i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (z == x + 1)
    one_load<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, beta, n);
  else
    two_loads<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
