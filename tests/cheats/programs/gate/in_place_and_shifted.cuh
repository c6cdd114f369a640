// SPDX-License-Identifier: Apache-2.0
// C8: reads everything before it writes as long as the pointers are aligned; the way for others
// takes two passes and reads an input again, which is wrong in place.
// caught: correct wrong "output 'y'"
__global__ void at_once(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
__global__ void first_part(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = alpha * x[i];
}
__global__ void second_part(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = y[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (l.aligned(16, x, z, y)) {
    at_once<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  } else {
    first_part<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
    second_part<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  }
  return true;
}
