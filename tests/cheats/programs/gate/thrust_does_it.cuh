// SPDX-License-Identifier: Apache-2.0
// A12: the header library does the work, with allocations and synchronisation of its own.
// caught: static rejected "library"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  thrust::transform(thrust::cuda::par.on(l.stream), x, x + n, z, y,
                    [=] __device__(float a, float b) { return alpha * a + beta * b; });
  return true;
}
