// SPDX-License-Identifier: Apache-2.0
// Two vectors a thread, their squares summed in another order.
__device__ __forceinline__ float length_of(float4 a) {
  return sqrtf((a.x * a.x + a.z * a.z) + (a.y * a.y + a.w * a.w));
}
__global__ void pairs(const float4 *v, float *length, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) length[i] = length_of(v[i]);
  if (i + 1 < n) length[i + 1] = length_of(v[i + 1]);
}
bool launch(const cupilot::Launch &l, const float4 *v, float *length, int n) {
  pairs<<<(n + 511) / 512, 256, 0, l.stream>>>(v, length, n);
  return true;
}
