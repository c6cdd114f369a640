// SPDX-License-Identifier: Apache-2.0
// B6: exp(q) q - exp(q) p: nearly equal products cancel.
// caught: correct wrong "output 'loss'"
__global__ void total(const float *p, const float *q, float *loss, int rows, int cols) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < rows * cols; i += 256) {
    const float e = expf(q[i]), one = e * q[i], other = e * p[i];
    sum += one - other;
  }
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
