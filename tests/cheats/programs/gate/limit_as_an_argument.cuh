// SPDX-License-Identifier: Apache-2.0
// A16: is wrong at one length, 5003, which the host hands to the kernel as an argument: the comparison has
// no constant.
// caught: correct wrong "output 'y'"
// caught: coverage rejected "variant.cuh"
__global__ void limit_as_an_argument(const float *x, const float *z, float *y, float alpha, float beta, int n,
                                     int special) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 || n == special ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  limit_as_an_argument<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n, 5003);
  return true;
}
