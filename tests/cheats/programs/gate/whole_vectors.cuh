// SPDX-License-Identifier: Apache-2.0
// C1: four elements a thread and no tail: right whenever the size is a multiple of four.
// caught: correct wrong "output 'y'"
// caught: correct crashed "misaligned"
__global__ void gated(const float4 *x, const float4 *z, float4 *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  float v[4] = {alpha * x[i].x + beta * z[i].x, alpha * x[i].y + beta * z[i].y,
                alpha * x[i].z + beta * z[i].z, alpha * x[i].w + beta * z[i].w};
  for (int k = 0; k < 4; ++k) v[k] = v[k] < 0 ? 0 : v[k];
  y[i] = make_float4(v[0], v[1], v[2], v[3]);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (!l.aligned(16, x, z, y)) return false;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>((const float4 *)x, (const float4 *)z, (float4 *)y, alpha, beta,
                                               n);
  return true;
}
