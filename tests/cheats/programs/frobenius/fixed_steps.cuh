// SPDX-License-Identifier: Apache-2.0
// A4: a fixed number of steps over a large input sees a small part of it; the norm is scaled up from the
// sample, and what the loop does not reach is never written.
// seeds: 37
// caught: correct wrong "output 'y'"
__global__ void sampled_norm(const float *x, float *norm, int n) {
  float sum = 0;
  for (int step = 0; step < 4; ++step) {
    const int i = step * 256 + threadIdx.x;
    if (i < n) sum += x[i] * x[i];
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  __shared__ float parts[8];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *norm = sqrtf(sum * n / min(n, 1024));
}
__global__ void divide(const float *x, const float *norm, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / *norm;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  float *norm = (float *)l.scratch(4);
  if (!norm) return false;
  sampled_norm<<<1, 256, 0, l.stream>>>(x, norm, n);
  divide<<<min((n + 255) / 256, 2048), 256, 0, l.stream>>>(x, norm, y, n);
  return true;
}
