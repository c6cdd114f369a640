// SPDX-License-Identifier: Apache-2.0
// Partial sums over eight parts of the depth into scratch memory, then their sum.
__global__ void parts(const float *a, const float *b, float *part, int m, int n, int k) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  const int each = (k + 7) / 8, from = blockIdx.z * each, to = min(k, from + each);
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = from; i < to; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  part[((size_t)blockIdx.z * m + row) * n + column] = sum;
}
__global__ void whole(const float *part, float *c, size_t all) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= all) return;
  float sum = 0;
  for (int z = 0; z < 8; ++z) sum += part[z * all + i];
  c[i] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (m <= 0 || n <= 0) return true;
  const size_t all = (size_t)m * n;
  float *part = static_cast<float *>(l.scratch(sizeof(float) * 8 * all));
  if (!part) return false;
  parts<<<dim3((n + 31) / 32, (m + 7) / 8, 8), dim3(32, 8), 0, l.stream>>>(a, b, part, m, n, k);
  whole<<<(unsigned)((all + 255) / 256), 256, 0, l.stream>>>(part, c, all);
  return true;
}
