// SPDX-License-Identifier: Apache-2.0
// Kahan's compensated sum in every thread.
__global__ void kahan(const float *x, float *result, int n) {
  float sum = 0, lost = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const float next = __fsub_rn(x[i], lost), larger = __fadd_rn(sum, next);
    lost = isinf(larger) ? 0 : __fsub_rn(__fsub_rn(larger, sum), next);
    sum = larger;
  }
  __shared__ float sums[256];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = sums[0] / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  kahan<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
