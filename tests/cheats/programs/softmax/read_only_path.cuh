// SPDX-License-Identifier: Apache-2.0
// C10: reads through the read-only path what the same launch has written: the PTX manual forbids
// it, since that cache is not kept coherent.
// caught: correct wrong "read-only"
// caught: coverage wrong "read-only path"
__global__ void read_only_path(const float *x, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float *to = y + (size_t)blockIdx.x * cols;
  float top = from[0];
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, from[c]);
  for (int half = 16; half > 0; half /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, half));
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    to[c] = expf(from[c] - top);
    sum += to[c];
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += 32) to[c] = __ldg(to + c) / sum;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  read_only_path<<<rows, 32, 0, l.stream>>>(x, y, rows, cols);
  return true;
}
