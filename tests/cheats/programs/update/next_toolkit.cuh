// SPDX-License-Identifier: Apache-2.0
// E13: a branch for the next version of the compiler, which nobody has compiled so far, does half
// of the work.
// caught: static rejected "__CUDACC_VER_MAJOR__"
#if __CUDACC_VER_MAJOR__ > 13
#define UPDATED_SHARE(n) ((n) / 2)
#else
#define UPDATED_SHARE(n) (n)
#endif
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const int done = UPDATED_SHARE(n);
#undef UPDATED_SHARE
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
