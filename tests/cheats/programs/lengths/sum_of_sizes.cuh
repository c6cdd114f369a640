// SPDX-License-Identifier: Apache-2.0
// C6: another formula that gives the same for vectors of nothing but zeros.
// caught: correct wrong "output 'length'"
__global__ void sums(const float4 *v, float *length, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) length[i] = fabsf(v[i].x) + fabsf(v[i].y) + fabsf(v[i].z) + fabsf(v[i].w);
}
bool launch(const cupilot::Launch &l, const float4 *v, float *length, int n) {
  sums<<<(n + 255) / 256, 256, 0, l.stream>>>(v, length, n);
  return true;
}
