// SPDX-License-Identifier: Apache-2.0
// C10: four blocks add to each sum with atomics that hold within one block only.
// caught: correct wrong "race"
// caught: coverage wrong "race"
__global__ void atomics_of_a_block(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * 64 + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = blockIdx.y; r < rows; r += 4) sum += x[(size_t)r * cols + c];
  atomicAdd_block(&sums[c], sum);
}
bool launch(const cupilot::Launch &l, const float *x, float *sums, int rows, int cols) {
  atomics_of_a_block<<<dim3((cols + 63) / 64, 4), 64, 0, l.stream>>>(x, sums, rows, cols);
  return true;
}
