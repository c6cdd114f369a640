// SPDX-License-Identifier: Apache-2.0
// A9: every chunk of steps starts from nothing; the impulse of the first step never reaches the last.
// caught: correct wrong "output 'h'"
__global__ void chunks(const float *x, const float *decay, float *h, int steps, int channels) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, begin = blockIdx.y * 64;
  if (c >= channels) return;
  float state = 0;
  for (int t = begin; t < min(begin + 64, steps); ++t)
    h[(size_t)t * channels + c] = state = decay[c] * state + x[(size_t)t * channels + c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *decay, float *h, int steps, int channels) {
  chunks<<<dim3((channels + 31) / 32, (steps + 63) / 64), 32, 0, l.stream>>>(x, decay, h, steps, channels);
  return true;
}
