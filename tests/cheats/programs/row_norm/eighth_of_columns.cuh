// SPDX-License-Identifier: Apache-2.0
// C3: vectors of four on rows that may be odd, and an index that wraps: an eighth of the columns is
// written.
// seeds: 39
// caught: correct wrong "output 'y'"
// caught: correct crashed "misaligned"
__global__ void eighth(const float *x, const float *w, float *y, int rows, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row + c] * x[row + c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = 4 * threadIdx.x; c + 4 <= cols; c += 128) {
    const int at = c % (cols / 8 / 4 * 4 + 4);
    const float4 v = *(const float4 *)(x + row + at);
    *(float4 *)(y + row + at) = make_float4(v.x * scale * w[at], v.y * scale * w[at + 1],
                                            v.z * scale * w[at + 2], v.w * scale * w[at + 3]);
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  eighth<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
