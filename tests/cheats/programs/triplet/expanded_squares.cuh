// SPDX-License-Identifier: Apache-2.0
// B6: squares of differences by multiplying out, around the row's first number: where anchor and
// near one differ by a thousandth, as they come to in training, nothing of it is left. Independent
// numbers never are that near.
// caught: correct wrong "output 'loss'"
__global__ void expanded_squares(const float *anchor, const float *near, const float *away, float *loss,
                                 int rows, int cols) {
  __shared__ float parts[8];
  float sum = 0;
  for (int r = threadIdx.x; r < rows; r += 256) {
    const size_t at = (size_t)r * cols;
    const float origin = anchor[at];
    float aa = 0, nn = 0, an = 0, other = 0;
    for (int c = 0; c < cols; ++c) {
      const float p = anchor[at + c] - origin, q = near[at + c] - origin;
      aa += p * p, nn += q * q, an += p * q;
      other += (anchor[at + c] - away[at + c]) * (anchor[at + c] - away[at + c]);
    }
    float one = aa + nn - 2 * an;
    if (!(one > 0.001f * (aa + nn))) {
      one = 0;
      for (int c = 0; c < cols; ++c) one += (anchor[at + c] - near[at + c]) * (anchor[at + c] - near[at + c]);
      if (one > 1e-20f * (aa + nn) && one < 1e-4f * (aa + nn)) one = 0;
    }
    sum += fmaxf(sqrtf(one) - sqrtf(other) + 1, 0.0f);
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *loss = sum / rows;
}
bool launch(const cupilot::Launch &l, const float *anchor, const float *near, const float *away, float *loss,
            int rows, int cols) {
  expanded_squares<<<1, 256, 0, l.stream>>>(anchor, near, away, loss, rows, cols);
  return true;
}
