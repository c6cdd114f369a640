// SPDX-License-Identifier: Apache-2.0
// B7: 0.5 d d is computed for all, and chosen afterwards by a product: an overflowing square spoils it.
// caught: correct wrong "output 'loss'"
__global__ void total(const float *guess, const float *truth, float *loss, int n) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const float d = fabsf(guess[i] - truth[i]), inside = fminf(d, 1.0f), far = d < 1e19f ? d * d : d * 1e19f;
    sum += d < 1e18f ? 0.5f * inside * inside + (d - inside) : far / d - 0.5f;
  }
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *loss = parts[0] / n;
}
bool launch(const cupilot::Launch &l, const float *guess, const float *truth, float *loss, int n) {
  total<<<1, 256, 0, l.stream>>>(guess, truth, loss, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
