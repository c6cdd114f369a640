// SPDX-License-Identifier: Apache-2.0
// C8: where y begins at the end of x, as two halves of one array do, another instance of the same code
// takes a step that is a thousandth too small: all its places are executed by the other instance.
// caught: correct wrong "output"
// open: buffers of executed runs never touch
template <bool Behind>
__device__ void step(const float *x, float *y, float alpha, int n) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    const float v = y[i];
    y[i] = v + (Behind ? alpha * 0.999f : alpha) * x[i];
  }
}
__global__ void behind_its_input(const float *x, float *y, float alpha, int n) {
  if (x + n == y)
    step<true>(x, y, alpha, n);
  else
    step<false>(x, y, alpha, n);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  behind_its_input<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
