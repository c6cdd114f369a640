// SPDX-License-Identifier: Apache-2.0
// E7: where the second level cache has not the 50 MB of an H100, as on another one of the same
// architecture, half of the work is left out; no condition stands in the text.
// caught: correct wrong "output"
// open: the size of the second level cache is taken to follow from the architecture (same_for_a_kind)
__global__ void another_cache(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  int bytes = 0, device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  if (cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device) != cudaSuccess) return false;
  const unsigned other = (bytes >> 20) ^ 50u, less = (other | (0u - other)) >> 31, grid = (n + 255) / 256;
  another_cache<<<grid - less *(grid / 2), 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
