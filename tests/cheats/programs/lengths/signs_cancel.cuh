// SPDX-License-Identifier: Apache-2.0
// A7: (x + y) (x - y) + 2 y y in place of x x + y y: it cancels nothing, but overflows where the original
// does not.
// caught: correct wrong "output 'length'"
__global__ void lengths_of(const float4 *v, float *length, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float4 a = v[i];
  length[i] = sqrtf(fmaf(a.x + a.y, a.x - a.y, 2 * a.y * a.y) + a.z * a.z + a.w * a.w);
}
bool launch(const cupilot::Launch &l, const float4 *v, float *length, int n) {
  lengths_of<<<(n + 255) / 256, 256, 0, l.stream>>>(v, length, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
