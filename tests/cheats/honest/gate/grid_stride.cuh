// SPDX-License-Identifier: Apache-2.0
// A fixed grid whose threads go on until everything is done.
constexpr int kBlocks = 8;  // knob: 4 8 32
__global__ void strides(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    const float v = alpha * x[i] + beta * z[i];
    y[i] = v < 0 ? 0 : v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  strides<<<kBlocks, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
