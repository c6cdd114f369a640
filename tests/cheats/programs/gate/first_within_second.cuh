// SPDX-License-Identifier: Apache-2.0
// C8: where the first input begins within the second, as in the differences of neighbours, the second is
// taken for the first one; the kernel compares the pointers.
// caught: correct wrong "begins within"
__global__ void first_within_second(const float *x, const float *z, float *y, float alpha, float beta,
                                    int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float *second = z < x && x < z + n ? x : z;
  const float v = alpha * x[i] + beta * second[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  first_within_second<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
