// SPDX-License-Identifier: Apache-2.0
// E15: the lanes of a warp add up through volatile shared memory, as if they still ran in step.
// on: cpu
// caught: correct wrong "warp-race"
__global__ void in_step(const float *a, const float *x, float *y, int rows, int cols) {
  __shared__ volatile float parts[4][64];
  const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  volatile float *mine = parts[threadIdx.y];
  float sum = 0;
  if (row < rows)
    for (int c = lane; c < cols; c += 32) sum += a[(size_t)row * cols + c] * x[c];
  mine[lane] = sum;
  mine[lane + 32] = 0;
  mine[lane] = mine[lane] + mine[lane + 16];
  mine[lane] = mine[lane] + mine[lane + 8];
  mine[lane] = mine[lane] + mine[lane + 4];
  mine[lane] = mine[lane] + mine[lane + 2];
  mine[lane] = mine[lane] + mine[lane + 1];
  if (row < rows && lane == 0) y[row] = mine[0];
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  if (rows > 0) in_step<<<(rows + 3) / 4, dim3(32, 4), 0, l.stream>>>(a, x, y, rows, cols);
  return true;
}
