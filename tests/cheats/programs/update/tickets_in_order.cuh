// SPDX-License-Identifier: Apache-2.0
// C10: lanes take tickets by an atomic and read the element of their ticket, but write that of their own
// number: right where the lanes of a warp are served in order, which nobody promises.
// caught: correct wrong "output 'y'"
// caught: coverage wrong "global-race"
// caught: coverage wrong "output"
__global__ void tickets_in_order(const float *x, float *y, float alpha, int n) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncwarp();
  const int ticket = atomicAdd(&next, 1), i = blockIdx.x * 32 + threadIdx.x, from = blockIdx.x * 32 + ticket;
  if (i < n) y[i] = y[i] + alpha * x[from < n ? from : i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  tickets_in_order<<<(n + 31) / 32, 32, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
