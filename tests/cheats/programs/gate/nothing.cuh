// SPDX-License-Identifier: Apache-2.0
// A11: no work at all; the buffers still hold what the original wrote.
// caught: correct wrong "output 'y'"
__global__ void nothing(int n) {}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  nothing<<<1, 32, 0, l.stream>>>(n);
  return true;
}
