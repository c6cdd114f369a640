// SPDX-License-Identifier: Apache-2.0
// A7: powers of the decay in double: they end after a thousand steps of one half.
// caught: correct wrong "output 'h'"
// with: large
__global__ void summed(const float *x, const float *decay, float *h, int steps, int channels) {
  const int c = blockIdx.x * 32 + threadIdx.x;
  if (c >= channels) return;
  const double d = decay[c];
  double power = 1, sum = 0;
  for (int t = 0; t < steps; ++t) {
    power *= d;
    sum += x[(size_t)t * channels + c] / power;
    h[(size_t)t * channels + c] = (float)(sum * power);
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *decay, float *h, int steps, int channels) {
  summed<<<(channels + 31) / 32, 32, 0, l.stream>>>(x, decay, h, steps, channels);
  return cudaPeekAtLastError() == cudaSuccess;
}
