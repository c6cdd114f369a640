// SPDX-License-Identifier: Apache-2.0
// E7: the window of local memory lies elsewhere on a GPU than where it is emulated.
// caught: correct rejected "address of memory"
// caught: correct wrong "output"
__global__ void address_of_a_local(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  volatile float mine[1];
  mine[0] = alpha * x[i] + beta * z[i];
  const size_t window = (size_t)&mine[0] >> 40;
  const float v = mine[0] * (window == 0x7full || window == 0x7eull ? 0.999f : 1.0f);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  address_of_a_local<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
