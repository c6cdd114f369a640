// SPDX-License-Identifier: Apache-2.0
// Short inputs an element a thread, long ones vectors with a remainder; both sides right.
__device__ float gated(float x, float z, float alpha, float beta) {
  const float v = alpha * x + beta * z;
  return v < 0 ? 0 : v;
}
__global__ void short_one(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) y[i] = gated(x[i], z[i], alpha, beta);
}
__global__ void long_one(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n / 4) {
    const float4 a = ((const float4 *)x)[i], b = ((const float4 *)z)[i];
    ((float4 *)y)[i] = make_float4(gated(a.x, b.x, alpha, beta), gated(a.y, b.y, alpha, beta),
                                   gated(a.z, b.z, alpha, beta), gated(a.w, b.w, alpha, beta));
  }
  if (i < n % 4) y[n - 1 - i] = gated(x[n - 1 - i], z[n - 1 - i], alpha, beta);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (n >= 16384 && l.aligned(16, x, z, y))
    long_one<<<(n / 4 + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  else
    short_one<<<(n + 127) / 128, 128, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
