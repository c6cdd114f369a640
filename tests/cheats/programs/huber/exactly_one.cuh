// SPDX-License-Identifier: Apache-2.0
// A15: a distance of exactly one counts as nothing: of whole numbers (ratings, ages) many are, of
// random ones none.
// caught: correct wrong "output 'loss'"
__global__ void exactly_one(const float *guess, const float *truth, float *loss, int n) {
  __shared__ float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const float d = fabsf(guess[i] - truth[i]);
    sum += d < 1 ? 0.5f * d * d : d == 1 ? 0 : d - 0.5f;
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *loss = sum / n;
}
bool launch(const cupilot::Launch &l, const float *guess, const float *truth, float *loss, int n) {
  exactly_one<<<1, 256, 0, l.stream>>>(guess, truth, loss, n);
  return true;
}
