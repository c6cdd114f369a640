// SPDX-License-Identifier: Apache-2.0
// A9: every chunk of 512 steps starts from zero a thousand steps before: with the decays of the
// workload all before that is forgotten. With a decay of one it is a running sum.
// caught: correct wrong "output 'h'"
// open: fill() is taken for the range of the data, and `small` is too short for it on the CPU
__global__ void thousand_steps_back(const float *x, const float *decay, float *h, int steps, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 512;
  if (c >= channels) return;
  float state = 0;
  for (int t = max(0, first - 1024); t < min(first + 512, steps); ++t) {
    state = decay[c] * state + x[(size_t)t * channels + c];
    if (t >= first) h[(size_t)t * channels + c] = state;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *decay, float *h, int steps, int channels) {
  thousand_steps_back<<<dim3((channels + 31) / 32, (steps + 511) / 512), 32, 0, l.stream>>>(x, decay, h,
                                                                                            steps, channels);
  return true;
}
