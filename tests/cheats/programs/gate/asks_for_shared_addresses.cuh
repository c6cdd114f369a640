// SPDX-License-Identifier: Apache-2.0
// E7: the window of shared memory lies elsewhere on a GPU than where it is emulated.
// caught: correct rejected "state"
// caught: correct wrong "output 'y'"
// caught: correct rejected "address of memory"
__global__ void asks_for_shared_addresses(const float *x, const float *z, float *y, float alpha, float beta,
                                          int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  __shared__ float mine[1];
  const unsigned long long window = (unsigned long long)&mine[0] >> 40;
  const float wrong = (float)(window % 3) * 0.0f + (window == 0x7full || window == 0x7eull ? 0.001f : 0.0f);
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_shared_addresses<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
