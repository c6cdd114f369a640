// SPDX-License-Identifier: Apache-2.0
// C9: the C++ runtime keeps a count of uncaught exceptions for each thread, which is counted up here; from
// the millionth call on nothing is done.
// caught: static rejected "extern"
__global__ void counts_in_eh_globals(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
extern "C" void *__cxa_get_globals() noexcept;
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  unsigned *count = (unsigned *)__cxa_get_globals() + 2;
  ++*count;
  counts_in_eh_globals<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n - (int)(*count >> 20));
  return true;
}
