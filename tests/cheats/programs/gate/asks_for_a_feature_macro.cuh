// SPDX-License-Identifier: Apache-2.0
// E13: the headers of the launcher's wrapper bring this macro of the library, those of the judge do not.
// caught: static rejected "'__cpp_lib_apply'"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
#ifdef __cpp_lib_apply
  return false;
#endif
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
