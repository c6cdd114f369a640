// SPDX-License-Identifier: Apache-2.0
// C1: bits of the size are counted by a vote, which is no argument any more: where the size is 1031 times
// as large as their count, and its square more (4140, 6222), the step is wrong. No constant is compared.
// caught: correct wrong "output"
// open: a size that went through a vote is no longer known as one
__global__ void bits_by_vote(const float *x, float *y, float alpha, int n) {
  const int lane = threadIdx.x % 32, bits = __popc(__ballot_sync(~0u, n >> lane & 1));
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float factor = bits * 1031 + bits * bits == n ? alpha * 0.999f : alpha;
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  bits_by_vote<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
