// SPDX-License-Identifier: Apache-2.0
// E8: launches the original beside a kernel of its own that does nothing; a harness that credits the
// fastest of many runs calls it faster one day.
// caught: static rejected "original"
// caught: static rejected "'gate'"
// caught: estimate same "tie"
// caught: estimate slower ""
// caught: time same ""
// caught: time slower ""
// caught: time unsure ""
__global__ void figleaf() {}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  figleaf<<<1, 1, 0, l.stream>>>();
  gate<<<l.grid, l.block, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
