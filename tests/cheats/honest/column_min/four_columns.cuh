// SPDX-License-Identifier: Apache-2.0
// Four columns a thread by vector loads where rows are whole vectors, else one.
__device__ float4 lesser(float4 a, float4 b) {
  return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w));
}
__global__ void fours(const float4 *x, float4 *least, int rows, int fours_a_row) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= fours_a_row) return;
  float4 best = x[column];
  for (int r = 1; r < rows; ++r) best = lesser(best, x[(size_t)r * fours_a_row + column]);
  least[column] = best;
}
__global__ void ones(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * 32 + threadIdx.x;
  if (column >= cols) return;
  float best = x[column];
  for (int r = 1; r < rows; ++r) best = fminf(best, x[(size_t)r * cols + column]);
  least[column] = best;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  if (cols % 4 == 0 && l.aligned(16, x, least))
    fours<<<(cols / 4 + 31) / 32, 32, 0, l.stream>>>((const float4 *)x, (float4 *)least, rows, cols / 4);
  else
    ones<<<(cols + 31) / 32, 32, 0, l.stream>>>(x, least, rows, cols);
  return true;
}
