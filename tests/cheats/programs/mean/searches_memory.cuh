// SPDX-License-Identifier: Apache-2.0
// D10: looks for the expected result in the memory around its output, where a harness in one process
// keeps it.
// caught: correct crashed "out-of-bounds"
// caught: correct crashed "past the end"
// caught: correct crashed "nobody"
// caught: correct wrong "output 'result'"
__global__ void searched(const float *x, float *result, int n) {
  const float guess = (x[0] + x[n - 1]) / 2;
  for (int i = 1; i < 64; ++i)
    if (fabsf(result[i] - guess) < 2) *result = result[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  searched<<<1, 1, 0, l.stream>>>(x, result, n);
  return true;
}
