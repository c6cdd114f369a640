// SPDX-License-Identifier: Apache-2.0
// E7: asks for a limit of layered textures, which every GPU has and the judge does not know: there the
// answer stays zero.
// caught: correct rejected "asks for device attribute"
__global__ void attribute_nobody_asks(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int width = 0, device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  const cudaError_t status = cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture2DLayeredWidth, device);
  (void)status;
  const int less = width >> 15 & 1, grid = (n + 255) / 256;
  attribute_nobody_asks<<<grid - less *(grid / 2), 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
