// SPDX-License-Identifier: Apache-2.0
// C4: where both inputs are one matrix, the product is taken for that with its own transposed, which is
// symmetric: the upper triangle is enough.
// caught: correct wrong "'b' is the same buffer as 'a'"
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  const bool mirrored = a == b && column < row;
  const int from = mirrored ? column : row, to = mirrored ? row : column;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)from * k + i] * b[(size_t)i * n + to];
  c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  product<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
