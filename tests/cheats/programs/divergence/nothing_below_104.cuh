// SPDX-License-Identifier: Apache-2.0
// B7: where exp(q) is zero the term is left out: with an infinite p it is NaN.
// caught: correct wrong "output 'loss'"
__global__ void total(const float *p, const float *q, float *loss, int rows, int cols) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < rows * cols; i += 256)
    if (!(q[i] < -104.0f)) sum += expf(q[i]) * (q[i] - p[i]);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *loss = parts[0] / rows;
}
bool launch(const cupilot::Launch &l, const float *p, const float *q, float *loss, int rows, int cols) {
  total<<<1, 256, 0, l.stream>>>(p, q, loss, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
