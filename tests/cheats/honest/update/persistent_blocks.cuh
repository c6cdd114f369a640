// SPDX-License-Identifier: Apache-2.0
// Persistent blocks, each with a contiguous share.
__global__ void shares(const float *x, float *y, float alpha, int n) {
  const int share = (n + gridDim.x - 1) / gridDim.x;
  const int begin = blockIdx.x * share, end = min(begin + share, n);
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) y[i] = fmaf(alpha, x[i], y[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  shares<<<12, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
