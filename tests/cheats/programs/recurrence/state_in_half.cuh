// SPDX-License-Identifier: Apache-2.0
// B3: the state is rounded to 11 bits every 64 steps, where it is handed to the next chunk.
// caught: correct wrong "output 'h'"
__global__ void state_in_half(const float *x, const float *decay, float *h, int steps, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  if (c >= channels) return;
  float state = 0;
  for (int t = 0; t < steps; ++t) {
    if (t % 64 == 0) state = __int_as_float((__float_as_int(state) + 0x1000) & 0xffffe000);
    state = decay[c] * state + x[(size_t)t * channels + c];
    h[(size_t)t * channels + c] = state;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *decay, float *h, int steps, int channels) {
  state_in_half<<<(channels + 31) / 32, 32, 0, l.stream>>>(x, decay, h, steps, channels);
  return true;
}
