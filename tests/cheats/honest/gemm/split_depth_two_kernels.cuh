// SPDX-License-Identifier: Apache-2.0
// The depth is split over blocks, whose sums a second kernel adds.
constexpr int kParts = 4;  // knob: 2 4 8
__global__ void part(const float *a, const float *b, float *parts, int m, int n, int k) {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = blockIdx.z; i < k; i += kParts) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  parts[((size_t)blockIdx.z * m + row) * n + column] = sum;
}
__global__ void total(const float *parts, float *c, int count) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int p = 0; p < kParts; ++p) sum += parts[(size_t)p * count + i];
  c[i] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  float *parts = (float *)l.scratch(sizeof(float) * kParts * m * n);
  if (!parts) return false;
  part<<<dim3((n + 15) / 16, (m + 15) / 16, kParts), dim3(16, 16), 0, l.stream>>>(a, b, parts, m, n, k);
  total<<<(m * n + 255) / 256, 256, 0, l.stream>>>(parts, c, m * n);
  return true;
}
