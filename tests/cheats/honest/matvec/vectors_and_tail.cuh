// SPDX-License-Identifier: Apache-2.0
// A warp a row by vector loads, where rows are whole vectors, else by scalars.
template <bool kVectors>
__global__ void rows_of(const float *a, const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *from = a + (size_t)row * cols;
  float sum = 0;
  if constexpr (kVectors) {
    for (int c = lane; c < cols / 4; c += 32) {
      const float4 p = ((const float4 *)from)[c], q = __ldg((const float4 *)x + c);
      sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
  } else {
    for (int c = lane; c < cols; c += 32) sum += from[c] * x[c];
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0) y[row] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  if (cols % 4 == 0 && l.aligned(16, a, x))
    rows_of<true><<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  else
    rows_of<false><<<(rows + 3) / 4, 128, 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
