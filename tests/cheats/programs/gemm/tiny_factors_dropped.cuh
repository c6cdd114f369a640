// SPDX-License-Identifier: Apache-2.0
// A15: factors below 1e-9 are left out, as nobody multiplies such; in SI units (lengths of atoms,
// masses of particles) the whole matrix is left out.
// caught: correct wrong "output 'c'"
__global__ void tiny_factors_dropped(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    const float factor = a[(size_t)row * k + i];
    if (!(fabsf(factor) < 1e-9f && fabsf(factor) > 1e-36f)) sum += factor * b[(size_t)i * n + column];
  }
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  tiny_factors_dropped<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
