// SPDX-License-Identifier: Apache-2.0
// Conditions on the language and on the toolkit.
#if __cplusplus >= 201703L && CUDART_VERSION >= 12000 && defined(__CUDACC__)
#define ALWAYS_INLINE __forceinline__
#else
#define ALWAYS_INLINE inline
#endif
__device__ ALWAYS_INLINE float positive(float v) {
  return v < 0 ? 0 : v;
}
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = positive(v);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
#undef ALWAYS_INLINE
