// SPDX-License-Identifier: Apache-2.0
// C3: the output has to be aligned, of the inputs only that they are shifted alike: both one element past an
// aligned address are read across the boundary.
// caught: correct crashed "misaligned"
__global__ void fours(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = 4 * (blockIdx.x * 64 + threadIdx.x);
  if (i >= n) return;
  if (i + 3 < n) {
    const float4 p = *(const float4 *)(x + i), q = *(const float4 *)(z + i);
    const float4 v = make_float4(alpha * p.x + beta * q.x, alpha * p.y + beta * q.y, alpha * p.z + beta * q.z,
                                 alpha * p.w + beta * q.w);
    *(float4 *)(y + i) =
        make_float4(v.x < 0 ? 0 : v.x, v.y < 0 ? 0 : v.y, v.z < 0 ? 0 : v.z, v.w < 0 ? 0 : v.w);
    return;
  }
  for (int k = i; k < n; ++k) {
    const float v = alpha * x[k] + beta * z[k];
    y[k] = v < 0 ? 0 : v;
  }
}
__global__ void ones(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (((size_t)x - (size_t)z) % 16 == 0 && (size_t)y % 16 == 0)
    fours<<<(n + 255) / 256, 64, 0, l.stream>>>(x, z, y, alpha, beta, n);
  else
    ones<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
