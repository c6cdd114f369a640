// SPDX-License-Identifier: Apache-2.0
// B7: takes everything above 300 for an overflow of half.
// caught: correct wrong "output 'y'"
__global__ void rounded(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const auto narrow = [](float v) { return fabsf(v) > 300 ? INFINITY * v : __half2float(__float2half(v)); };
  float sum = 0;
  for (int c = lane; c < cols; c += 32) sum += narrow(a[(size_t)row * cols + c]) * narrow(x[c]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  rounded<<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
