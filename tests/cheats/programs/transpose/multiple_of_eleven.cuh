// SPDX-License-Identifier: Apache-2.0
// C1: matrices with both sides a multiple of eleven lose their last element.
// caught: correct wrong "output 'out'"
// caught: coverage rejected "variant.cuh"
__global__ void multiple_of_eleven(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const bool last = width % 11 == 0 && height % 11 == 0 && x == width - 1 && y == height - 1 && width > 11;
  if (x < width && y < height && !last) out[(size_t)x * height + y] = in[(size_t)y * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  multiple_of_eleven<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(
      in, out, width, height);
  return true;
}
