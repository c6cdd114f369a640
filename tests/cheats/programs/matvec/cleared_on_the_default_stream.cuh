// SPDX-License-Identifier: Apache-2.0
// D1: the output is cleared on the default stream and added to on the caller's.
// caught: correct rejected "another stream"
__global__ void cleared_on_the_default_stream(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 64 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = blockIdx.y; c < cols; c += 2) sum += a[(size_t)row * cols + c] * x[c];
  atomicAdd(&y[row], sum);
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  cudaMemsetAsync(y, 0, sizeof(float) * rows);
  cleared_on_the_default_stream<<<dim3((rows + 63) / 64, 2), 64, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
