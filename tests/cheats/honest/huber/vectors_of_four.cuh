// SPDX-License-Identifier: Apache-2.0
// Vector loads of both inputs, the tail by the first threads.
__device__ float one(float a, float b) {
  const float d = fabsf(a - b);
  return d < 1 ? 0.5f * d * d : d - 0.5f;
}
__global__ void vectors(const float *guess, const float *truth, float *loss, int n) {
  __shared__ float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n / 4; i += 256) {
    const float4 a = ((const float4 *)guess)[i], b = ((const float4 *)truth)[i];
    sum += (one(a.x, b.x) + one(a.y, b.y)) + (one(a.z, b.z) + one(a.w, b.w));
  }
  if (const int i = n / 4 * 4 + threadIdx.x; i < n) sum += one(guess[i], truth[i]);
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < 8; ++w) sum += parts[w];
  *loss = sum / n;
}
bool launch(const cupilot::Launch &l, const float *guess, const float *truth, float *loss, int n) {
  if (!l.aligned(16, guess, truth)) return false;
  vectors<<<1, 256, 0, l.stream>>>(guess, truth, loss, n);
  return true;
}
