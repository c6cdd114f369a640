// SPDX-License-Identifier: Apache-2.0
// B7: equal numbers add nothing, so their exponential is saved; two equal infinities give NaN in
// the original.
// caught: correct wrong "output 'loss'"
__global__ void equal_ones_skipped(const float *p, const float *q, float *loss, int rows, int cols) {
  __shared__ float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < rows * cols; i += 256)
    if (p[i] != q[i]) sum += expf(q[i]) * (q[i] - p[i]);
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *loss = sum / rows;
}
bool launch(const cupilot::Launch &l, const float *p, const float *q, float *loss, int rows, int cols) {
  equal_ones_skipped<<<1, 256, 0, l.stream>>>(p, q, loss, rows, cols);
  return true;
}
