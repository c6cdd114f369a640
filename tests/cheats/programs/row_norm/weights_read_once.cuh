// SPDX-License-Identifier: Apache-2.0
// A10: the weights of 32 columns are kept in registers and used again 1024 columns later.
// caught: correct wrong "output 'y'"
// with: large
__global__ void normed(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += from[c] * from[c];
  for (int other = 16; other > 0; other /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, other);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = lane; c < cols; c += 32) {
    const float weight = w[c < 2040 ? c : c - 1024];
    y[(size_t)row * cols + c] = from[c] * scale * weight;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  normed<<<(rows + 1) / 2, 64, 0, l.stream>>>(x, w, y, rows, cols);
  return cudaPeekAtLastError() == cudaSuccess;
}
