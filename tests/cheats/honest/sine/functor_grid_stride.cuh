// SPDX-License-Identifier: Apache-2.0
// A grid-stride loop over a function object that is passed by value.
struct Sine {
  __device__ float operator()(float v) const { return sinf(v); }
};
template <class F>
__global__ void mapped(const float *__restrict__ x, float *__restrict__ y, int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = f(x[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  mapped<<<(n + 511) / 512, 128, 0, l.stream>>>(x, y, n, Sine{});
  return true;
}
