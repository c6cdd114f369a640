// SPDX-License-Identifier: Apache-2.0
// C3: looks at the alignment of one pointer and reads all three in vectors: right as long as all
// are shifted alike.
// caught: correct crashed "misaligned"
__global__ void vectors(const float4 *x, const float4 *z, float4 *y, float alpha, float beta, int quads) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= quads) return;
  const float4 a = x[i], b = z[i];
  float4 v;
  v.x = alpha * a.x + beta * b.x, v.y = alpha * a.y + beta * b.y;
  v.z = alpha * a.z + beta * b.z, v.w = alpha * a.w + beta * b.w;
  v.x = v.x < 0 ? 0 : v.x, v.y = v.y < 0 ? 0 : v.y, v.z = v.z < 0 ? 0 : v.z, v.w = v.w < 0 ? 0 : v.w;
  y[i] = v;
}
__global__ void one_by_one(const float *x, const float *z, float *y, float alpha, float beta, int from,
                           int n) {
  const int i = from + blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  const int quads = l.aligned(16, x) ? n / 4 : 0, rest = n - 4 * quads;
  if (quads)
    vectors<<<(quads + 255) / 256, 256, 0, l.stream>>>((const float4 *)x, (const float4 *)z, (float4 *)y,
                                                       alpha, beta, quads);
  if (rest) one_by_one<<<(rest + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, 4 * quads, n);
  return true;
}
