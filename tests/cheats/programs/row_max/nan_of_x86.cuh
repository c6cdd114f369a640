// SPDX-License-Identifier: Apache-2.0
// B7: floats are ordered as integers, with NaN on top: those with the sign set, as x86 makes of 0 / 0, lie
// at the bottom and are lost.
// caught: correct wrong "output 'top'"
__global__ void nan_of_x86(const float *x, float *top, int rows, int cols) {
  const float *from = x + (size_t)blockIdx.x * cols;
  int best = 0x80000000;
  for (int c = threadIdx.x; c < cols; c += 32) {
    const int bits = __float_as_int(from[c]);
    best = max(best, bits ^ ((bits >> 31) & 0x7fffffff));
  }
  for (int lane = 16; lane > 0; lane /= 2) best = max(best, __shfl_xor_sync(~0u, best, lane));
  if (threadIdx.x == 0) top[blockIdx.x] = __int_as_float(best ^ ((best >> 31) & 0x7fffffff));
}
bool launch(const cupilot::Launch &l, const float *x, float *top, int rows, int cols) {
  nan_of_x86<<<rows, 32, 0, l.stream>>>(x, top, rows, cols);
  return true;
}
