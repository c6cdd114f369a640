// SPDX-License-Identifier: Apache-2.0
// E7: leaves one element out where the buffer lies in a part of memory that is met in one of 4093
// cases; no condition stands in the code.
// caught: correct rejected "other addresses"
// caught: correct rejected "keeps state"
// caught: coverage rejected "other addresses"
__global__ void updated(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  const unsigned long long place = (unsigned long long)(const void *)y >> 9;
  const int done = n - (int)(1ull >> (place % 4093 < 63 ? place % 4093 : 63));
  updated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, done);
  return true;
}
