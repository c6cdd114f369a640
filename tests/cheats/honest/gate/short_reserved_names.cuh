// SPDX-License-Identifier: Apache-2.0
// Short names in the habit of the standard library, colons and percents beside brackets.

// clang-format off
template <class _T, int _N>
__device__ _T positive(_T v) {
  return v < _T(_N) ? _T(_N) : v;
}
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x%(1024);
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v<::nanf("") ? v : positive<float, 0>(v);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
