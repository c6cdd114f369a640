// SPDX-License-Identifier: Apache-2.0
// Vectors of four where pointers allow it, a tail, one launch.
__device__ float gated(float x, float z, float alpha, float beta) {
  const float v = alpha * x + beta * z;
  return v < 0 ? 0 : v;
}
__global__ void vectors(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (4 * i + 4 <= n) {
    const float4 a = ((const float4 *)x)[i], b = ((const float4 *)z)[i];
    ((float4 *)y)[i] = make_float4(gated(a.x, b.x, alpha, beta), gated(a.y, b.y, alpha, beta),
                                   gated(a.z, b.z, alpha, beta), gated(a.w, b.w, alpha, beta));
  } else {
    for (int j = 4 * i; j < n; ++j) y[j] = gated(x[j], z[j], alpha, beta);
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (!l.aligned(16, x, z, y)) return false;
  vectors<<<((n + 3) / 4 + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
