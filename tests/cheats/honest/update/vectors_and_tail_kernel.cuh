// SPDX-License-Identifier: Apache-2.0
// Vectors by one kernel, the tail by another, both on the stream.
__global__ void vectors(const float4 *x, float4 *y, float alpha, int fours) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= fours) return;
  const float4 a = x[i];
  float4 b = y[i];
  b.x += alpha * a.x, b.y += alpha * a.y, b.z += alpha * a.z, b.w += alpha * a.w;
  y[i] = b;
}
__global__ void tail(const float *x, float *y, float alpha, int begin, int n) {
  const int i = begin + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (!l.aligned(16, x, y)) return false;
  const int fours = n / 4;
  if (fours) vectors<<<(fours + 127) / 128, 128, 0, l.stream>>>((const float4 *)x, (float4 *)y, alpha, fours);
  if (n % 4) tail<<<1, 32, 0, l.stream>>>(x, y, alpha, 4 * fours, n);
  return true;
}
