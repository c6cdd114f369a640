// SPDX-License-Identifier: Apache-2.0
// C11: the first half is queued before scratch memory is asked for: without memory launch() declines, and
// the original updates the first half again.
// caught: correct rejected "goes on without the scratch memory"
__global__ void half(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = y[i] + alpha * x[i];
}
__global__ void first_half_done_already(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  if (n <= 0) return true;
  const int first = n / 2, rest = n - first;
  if (first) half<<<(first + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, first);
  if (!l.scratch(sizeof(float))) return false;
  first_half_done_already<<<(rest + 255) / 256, 256, 0, l.stream>>>(x + first, y + first, alpha, rest);
  return true;
}
