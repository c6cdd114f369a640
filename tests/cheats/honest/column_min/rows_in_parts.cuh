// SPDX-License-Identifier: Apache-2.0
// Rows are split over blocks; a second kernel takes the least of the parts.
constexpr int kParts = 8;  // knob: 4 8 16
__global__ void parts(const float *x, float *best, int rows, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column >= cols) return;
  float least = NAN;
  for (int r = blockIdx.y; r < rows; r += kParts) least = fminf(least, x[(size_t)r * cols + column]);
  best[(size_t)blockIdx.y * cols + column] = least;
}
__global__ void least_of(const float *best, float *least, int cols) {
  const int column = blockIdx.x * 64 + threadIdx.x;
  if (column >= cols) return;
  float value = best[column];
  for (int p = 1; p < kParts; ++p) value = fminf(value, best[(size_t)p * cols + column]);
  least[column] = value;
}
bool launch(const cupilot::Launch &l, const float *x, float *least, int rows, int cols) {
  float *best = (float *)l.scratch(sizeof(float) * kParts * cols);
  if (!best) return false;
  parts<<<dim3((cols + 63) / 64, kParts), 64, 0, l.stream>>>(x, best, rows, cols);
  least_of<<<(cols + 63) / 64, 64, 0, l.stream>>>(best, least, cols);
  return true;
}
