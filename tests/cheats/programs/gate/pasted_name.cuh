// SPDX-License-Identifier: Apache-2.0
// E13: the name of the forbidden call is pasted together by the preprocessor, so no text filter sees it.
// caught: static rejected "##"
#define GLUE(a, b) a##b
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  GLUE(cuda, DeviceSynchronize)();
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
