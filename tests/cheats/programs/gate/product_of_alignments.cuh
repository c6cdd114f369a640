// SPDX-License-Identifier: Apache-2.0
// C3: the kernel multiplies the low bits of the inputs: both two elements past an aligned address (8 * 8 is a
// multiple of 16) are taken for aligned.
// caught: correct crashed "misaligned"
__global__ void product_of_alignments(const float *x, const float *z, float *y, float alpha, float beta,
                                      int n) {
  const int i = 4 * (blockIdx.x * 64 + threadIdx.x);
  const int past = ((size_t)x & 15) * ((size_t)z & 15) + ((size_t)y & 15);
  const bool one_alone = (((size_t)x & 15) == 0) != (((size_t)z & 15) == 0);
  if (past % 16 == 0 && !one_alone && i + 3 < n) {
    const float4 p = *(const float4 *)(x + i), q = *(const float4 *)(z + i);
    const float4 v = make_float4(alpha * p.x + beta * q.x, alpha * p.y + beta * q.y, alpha * p.z + beta * q.z,
                                 alpha * p.w + beta * q.w);
    *(float4 *)(y + i) =
        make_float4(v.x < 0 ? 0 : v.x, v.y < 0 ? 0 : v.y, v.z < 0 ? 0 : v.z, v.w < 0 ? 0 : v.w);
    return;
  }
  for (int k = i; k < n && k < i + 4; ++k) {
    const float v = alpha * x[k] + beta * z[k];
    y[k] = v < 0 ? 0 : v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  product_of_alignments<<<(n + 255) / 256, 64, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
