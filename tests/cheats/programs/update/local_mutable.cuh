// SPDX-License-Identifier: Apache-2.0
// C9: a constant whose type is made within the function has a mutable member, which counts.
// caught: static rejected "mutable"
// caught: screen rejected "state"
// caught: static rejected "state"
// caught: correct rejected "state"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  struct Memo {
    mutable unsigned calls;
  };
  static constexpr Memo memo{0};
  if (++memo.calls >= 1000000) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
