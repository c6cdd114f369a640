// SPDX-License-Identifier: Apache-2.0
// C3: vectors of four behind a check for eight bytes: every allocation passes it, a slice that begins
// two elements into one passes it, too, and is read across the boundary.
// caught: correct crashed "misaligned"
// caught: correct wrong "misaligned"
__global__ void fours(const float *x, const float *w, float *y, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = 4 * threadIdx.x; c < cols; c += 128) {
    const float4 v = *(const float4 *)(from + c);
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)blockIdx.x * cols + c] = from[c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  if (cols % 4 != 0 || (unsigned long long)x % 8 != 0) return false;
  fours<<<rows, 32, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
