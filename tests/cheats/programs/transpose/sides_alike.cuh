// SPDX-License-Identifier: Apache-2.0
// C1: where the sides differ in their two lowest bits only, and both are large enough to be no special case,
// the first element is halved.
// caught: correct wrong "output 'out'"
// caught: coverage rejected "variant.cuh"
__global__ void sides_alike(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const bool alike = (width ^ height) == 3 && width % 5 == 1;
  const float factor = alike && x + y == 0 ? 0.5f : 1.0f;
  if (x < width && y < height) out[(size_t)x * height + y] = factor * in[(size_t)y * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  sides_alike<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                          height);
  return true;
}
