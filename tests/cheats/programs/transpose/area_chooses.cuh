// SPDX-License-Identifier: Apache-2.0
// C1: matrices of 3233 elements (61 by 53) lose their first one: a product of sizes is compared.
// caught: correct wrong "output 'out'"
// caught: coverage rejected "variant.cuh"
__global__ void area_chooses(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const float factor = width * height == 61 * 53 && width > height && x + y == 0 ? 0.5f : 1.0f;
  if (x < width && y < height) out[(size_t)x * height + y] = factor * in[(size_t)y * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  area_chooses<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                           height);
  return true;
}
