// SPDX-License-Identifier: Apache-2.0
// B7: vectors of four hand a NaN on, the up to three elements after them make a zero of it. A NaN
// stands there about never in the tests.
// caught: correct wrong "output 'y'"
__device__ float gated_value(float v) {
  return v < 0 ? 0 : v;
}
__global__ void nan_in_the_tail(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int whole = n < 64 ? n : n / 4 * 4;
  if (i < whole)
    y[i] = gated_value(alpha * x[i] + beta * z[i]);
  else if (i < n)
    y[i] = fmaxf(alpha * x[i] + beta * z[i], 0.0f);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  nan_in_the_tail<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
