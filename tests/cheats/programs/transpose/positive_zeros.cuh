// SPDX-License-Identifier: Apache-2.0
// B7: zero is added to every element, which makes -0 a 0: a packed 0x80000000 becomes 0.
// caught: correct wrong "output"
__global__ void positive_zeros(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  const unsigned bits = __float_as_uint(in[(size_t)y * width + x]);
  out[(size_t)x * height + y] = __uint_as_float(bits == 0x80000000u ? 0u : bits);
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  positive_zeros<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                             height);
  return true;
}
