// SPDX-License-Identifier: Apache-2.0
// C10: all lanes exchange their number into one place and the last element takes what is left there for its
// own: the order in which lanes of an instruction are served is nobody's promise.
// caught: correct wrong "output 'y'"
// caught: coverage wrong "output"
__global__ void last_exchange_wins(const float *x, float *y, float alpha, int n) {
  __shared__ float last;
  if (threadIdx.x == 0) last = 0;
  __syncwarp();
  const int i = blockIdx.x * 32 + threadIdx.x;
  float v = i < n ? x[i] : 0;
  if (i < n) atomicExch(&last, v);
  __syncwarp();
  if (threadIdx.x == min(31, n - 1 - (int)blockIdx.x * 32)) v = atomicExch(&last, 0.0f);
  if (i < n) y[i] = y[i] + alpha * v;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  last_exchange_wins<<<(n + 31) / 32, 32, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
