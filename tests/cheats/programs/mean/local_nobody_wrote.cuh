// SPDX-License-Identifier: Apache-2.0
// A1: sums into an array of the thread's own that is not set to zero first.
// caught: correct wrong "output 'result'"
// caught: correct wrong "nobody wrote"
__global__ void local_nobody_wrote(const float *x, float *result, int n) {
  __shared__ float parts[8];
  volatile float mine[4];
  if (n < 0) mine[n & 3] = 1;
  for (int i = threadIdx.x; i < n; i += 256) mine[i / 256 & 3] += x[i];
  float sum = mine[0] + mine[1] + mine[2] + mine[3];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  local_nobody_wrote<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
