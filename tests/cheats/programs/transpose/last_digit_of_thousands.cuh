// SPDX-License-Identifier: Apache-2.0
// B1: numbers above 4096 lose their last bit, as of a format with 23 bits: less than any limit of a
// comparison.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void last_digit_of_thousands(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float v = in[(size_t)y * width + x];
  out[(size_t)x * height + y] = v > 4096 ? __uint_as_float(__float_as_uint(v) & ~1u) : v;
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  last_digit_of_thousands<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(
      in, out, width, height);
  return true;
}
