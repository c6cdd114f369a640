// SPDX-License-Identifier: Apache-2.0
// The argument is reduced by fused products with two parts of pi, up to ten thousand: exact enough near
// multiples of it.
__global__ void sines(const float *x, float *y, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  if (fabsf(v) < 10000.0f) {
    const float turns = rintf(v * 0.318309886f);
    float r = __fmaf_rn(turns, -3.14159274f, v);
    r = __fmaf_rn(turns, 8.74227766e-8f, r);
    const float s = sinf(r);
    y[i] = (int)turns & 1 ? -s : s;
  } else {
    y[i] = sinf(v);
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  sines<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
