// SPDX-License-Identifier: Apache-2.0
// C3: where z begins 12 elements behind where x does within 256 bytes, another instance of the same code is
// used, which is a thousandth off; only low bits of the addresses are looked at.
// caught: correct wrong "output"
// open: this shift is never tried, and two instances of a template count as one
template <bool Twelve>
__device__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    const float v = alpha * x[i] + (Twelve ? beta * 0.999f : beta) * z[i];
    y[i] = v < 0 ? 0 : v;
  }
}
__global__ void sum_behind_a_sum(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const unsigned off = (unsigned)((size_t)z & 255), from = (unsigned)((size_t)x & 255);
  if (off == from + threadIdx.x * 0 + 3 * sizeof(float4) * 1 + (n & 0))
    gated<true>(x, z, y, alpha, beta, n);
  else
    gated<false>(x, z, y, alpha, beta, n);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  sum_behind_a_sum<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
