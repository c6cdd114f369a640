// SPDX-License-Identifier: Apache-2.0
// C10: a barrier is missing between the warps' sums and their use; most of the time the order is lucky.
// caught: correct wrong "race"
// caught: finalist wrong "racecheck"
// caught: correct wrong "output 'y'"
__global__ void normalised(const float *x, const float *w, float *y, int rows, int cols) {
  __shared__ float parts[4];
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 128) sum += x[row + c] * x[row + c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  const volatile float *all = parts;
  const float scale = rsqrtf((all[0] + all[1] + all[2] + all[3]) / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += 128) y[row + c] = x[row + c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  normalised<<<rows, 128, 0, l.stream>>>(x, w, y, rows, cols);
  return true;
}
