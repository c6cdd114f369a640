// SPDX-License-Identifier: Apache-2.0
// E8: ends the process with success at the first launch: a harness that looks at the exit code is
// content.
// caught: static rejected "exit"
// caught: screen rejected "exit"
// caught: correct rejected "exit"
// caught: correct crashed "ended"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  exit(0);
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
