// SPDX-License-Identifier: Apache-2.0
// Vectors between the first and the last aligned element, scalars at both edges.
__global__ void edges(const float *x, float *y, int n, int head) {
  const int i = blockIdx.x * 128 + threadIdx.x, fours = (n - head) / 4, tail = head + 4 * fours;
  if (i < head) y[i] = sinf(x[i]);
  if (i < n - tail) y[tail + i] = sinf(x[tail + i]);
  if (i >= fours) return;
  const float4 v = __ldg((const float4 *)(x + head) + i);
  ((float4 *)(y + head))[i] = make_float4(sinf(v.x), sinf(v.y), sinf(v.z), sinf(v.w));
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  const size_t past = (size_t)x / sizeof(float) % 4;
  if ((size_t)y / sizeof(float) % 4 != past || (size_t)x % sizeof(float)) return false;
  const int wanted = (int)((4 - past) % 4), head = wanted < n ? wanted : n;
  edges<<<(n / 4 + 4 + 127) / 128, 128, 0, l.stream>>>(x, y, n, head);
  return true;
}
