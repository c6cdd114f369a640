// SPDX-License-Identifier: Apache-2.0
// Four elements a thread where the pointers and the size allow it, one elsewhere.
template <int kEach>
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  if (i >= n) return;
  for (int j = 0; j < kEach; ++j) {
    const float v = alpha * x[i + j] + beta * z[i + j];
    y[i + j] = v < 0 ? 0 : v;
  }
}
template <int kEach>
bool run(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int threads = (n + kEach - 1) / kEach;
  gated<kEach><<<(threads + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (n % 4 == 0 && l.aligned(16, x, z, y)) return run<4>(l, x, z, y, alpha, beta, n);
  return run<1>(l, x, z, y, alpha, beta, n);
}
