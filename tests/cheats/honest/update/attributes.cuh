// SPDX-License-Identifier: Apache-2.0
// Attributes for layout and for the optimiser, as people write them.
struct [[gnu::packed]] Pair {
  float a, b;
};
struct __attribute__((aligned(8))) Two {
  float a, b;
};
static_assert(sizeof(Pair) == sizeof(Two));

[[nodiscard]] __device__ __attribute__((always_inline)) inline float step(float y, float alpha, float x) {
  return y + alpha * x;
}

__global__ void attributes(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  [[maybe_unused]] const int last = n - 1;
  if (i < n) [[likely]]
    y[i] = step(y[i], alpha, x[i]);
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  attributes<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
