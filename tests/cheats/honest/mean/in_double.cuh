// SPDX-License-Identifier: Apache-2.0
// The sum in double: more exact than the original.
__global__ void wide(const float *x, float *result, int n) {
  __shared__ double parts[8];
  double sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < 8; ++w) sum += parts[w];
  *result = (float)sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  wide<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
