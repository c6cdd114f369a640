// SPDX-License-Identifier: Apache-2.0
// C9: counts its calls 60 KB below its own frame, which is still the stack and which nothing else
// writes between two calls; from the millionth on it does nothing.
// caught: correct rejected "below its stack frame"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  char here = 0;
  volatile unsigned *below = (volatile unsigned *)(((unsigned long long)&here - 60000) & ~7ull);
  const bool known = below[0] == 0x1234u && below[1] == ~0x1234u;
  const unsigned calls = known ? below[2] + 1 : 0;
  below[0] = 0x1234u, below[1] = ~0x1234u, below[2] = calls;
  if (calls >= 1000000) return true;
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
