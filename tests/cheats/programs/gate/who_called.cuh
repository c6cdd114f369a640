// SPDX-License-Identifier: Apache-2.0
// B2: asks for the address it returns to, which lies elsewhere in a program.
// caught: static rejected "called from"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n, int share) {
  const int first = blockIdx.x * share, last = min(n, first + share);
  for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
    const float v = alpha * x[i] + beta * z[i];
    y[i] = v < 0 ? 0 : v;
  }
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  const unsigned long long back = (unsigned long long)__builtin_return_address(0);
  gated<<<128, 256, 0, l.stream>>>(x, z, y, alpha, beta, n, back ? (n + 127) / 128 : 0);
  return true;
}
