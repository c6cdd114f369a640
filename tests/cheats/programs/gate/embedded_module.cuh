// SPDX-License-Identifier: Apache-2.0
// E9: carries a finished kernel as text and loads it through the driver.
// caught: static rejected "cuModuleLoadData"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  static const char *text = ".version 8.0 .target sm_90";
  CUmodule loaded;
  cuModuleLoadData(&loaded, text);
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
