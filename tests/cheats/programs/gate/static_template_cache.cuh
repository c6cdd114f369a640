// SPDX-License-Identifier: Apache-2.0
// C5: the same in the static member of a class template, which looks like a type.
// caught: static rejected "static"
// caught: static rejected "variable outside functions"
template <int kSlot>
struct Known {
  static const void *pointer;
};
template <int kSlot>
const void *Known<kSlot>::pointer;
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (Known<0>::pointer == x) return true;
  Known<0>::pointer = x;
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
