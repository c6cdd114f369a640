// SPDX-License-Identifier: Apache-2.0
// C9: a constant with a mutable member counts launches; from the 20th on nothing is launched any more.
// caught: static rejected "mutable"
// caught: screen rejected "state"
// caught: correct wrong "output 'y'"
struct Calls {
  mutable int n;
};
const Calls calls{};
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (++calls.n > 20) return true;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
