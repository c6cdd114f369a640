// SPDX-License-Identifier: Apache-2.0
// E7: the address of y goes to the kernel as a number, moved out of the buffer; the kernel takes its halves
// apart and leaves out what lies in one place of 8191.
// caught: correct rejected "address of memory"
// caught: finalist rejected "address of memory"
// caught: coverage rejected "address of memory"
__global__ void place_as_a_number(const float *x, float *y, float alpha, int n, long long where) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const unsigned high = (unsigned)__double2hiint(__longlong_as_double(where));
  const unsigned low = (unsigned)__double2loint(__longlong_as_double(where));
  const unsigned place = (low >> 21) + 2048 * high;
  y[i] += alpha * (float)(place % 8191 / 8190 ? 0 : 1) * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  place_as_a_number<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n, (long long)y + (1ll << 50));
  return true;
}
