// SPDX-License-Identifier: Apache-2.0
// E10: assembly for the host in a structure inside of a device function, whose type leaves it.
// caught: static rejected "assembly outside a device function"
__device__ auto of_the_device() {
  struct Reader {
    unsigned counter() {
      unsigned low;
      asm volatile("rdtsc" : "=a"(low) : : "edx");
      return low;
    }
  };
  return Reader{};
}
using Reader = decltype(of_the_device());
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n, bool whole) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + (whole ? beta * z[i] : 0);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n, Reader{}.counter() != 12345);
  return true;
}
