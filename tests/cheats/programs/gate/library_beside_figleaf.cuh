// SPDX-License-Identifier: Apache-2.0
// A13: a kernel of one thread beside a vendor's library that does the work.
// caught: static rejected "library"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  cublasSaxpy(handle, n, &alpha, x, 1, y, 1);
  return true;
}
