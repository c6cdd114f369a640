// SPDX-License-Identifier: Apache-2.0
// C9: a constant array of a device function, its const cast away, counts; from the millionth block
// on nothing is done.
// caught: correct rejected "changes the constant"
// caught: correct crashed "constant"
// caught: correct wrong "constant"
// caught: correct rejected "state"
// caught: correct wrong "state"
// caught: screen rejected "state"
// caught: correct wrong "counts"
// caught: correct crashed "read-only"
__global__ void constant_of_a_function(const float *x, float *y, float alpha, int n) {
  static const unsigned counts[2] = {5, 7};
  const int i = blockIdx.x * 256 + threadIdx.x;
  unsigned *mine = const_cast<unsigned *>(&counts[n < 0]);
  if (threadIdx.x == 0 && atomicAdd(mine, 1u) > 100000000u) y[0] = 0;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  constant_of_a_function<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
