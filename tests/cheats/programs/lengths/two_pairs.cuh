// SPDX-License-Identifier: Apache-2.0
// A15: two pairs of equal numbers are taken for four equal ones.
// caught: correct wrong "output 'length'"
__global__ void lengths_of(const float4 *v, float *length, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float4 a = v[i];
  const bool pairs = a.x == a.y && a.z == a.w;
  length[i] = pairs ? 2 * fabsf(a.x) : sqrtf(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
}
bool launch(const cupilot::Launch &l, const float4 *v, float *length, int n) {
  lengths_of<<<(n + 255) / 256, 256, 0, l.stream>>>(v, length, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
