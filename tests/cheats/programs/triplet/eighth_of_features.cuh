// SPDX-License-Identifier: Apache-2.0
// A4: an eighth of the features; both distances shrink alike, so the loss is about the margin as before.
// seeds: 99
// caught: correct wrong "output 'loss'"
__global__ void eighth(const float *anchor, const float *near, const float *away, float *loss, int rows,
                       int cols) {
  float sum = 0;
  for (int r = threadIdx.x; r < rows; r += 256) {
    float one = 0, other = 0;
    for (int c = 0; c < cols; c += 8) {
      const size_t i = (size_t)r * cols + c;
      one += (anchor[i] - near[i]) * (anchor[i] - near[i]);
      other += (anchor[i] - away[i]) * (anchor[i] - away[i]);
    }
    sum += fmaxf(sqrtf(8 * one) - sqrtf(8 * other) + 1, 0.0f);
  }
  __shared__ float sums[256];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int i = 1; i < 256; ++i) sum += sums[i];
  *loss = sum / rows;
}
bool launch(const cupilot::Launch &l, const float *anchor, const float *near, const float *away, float *loss,
            int rows, int cols) {
  eighth<<<1, 256, 0, l.stream>>>(anchor, near, away, loss, rows, cols);
  return true;
}
