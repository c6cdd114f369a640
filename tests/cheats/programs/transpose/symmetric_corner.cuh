// SPDX-License-Identifier: Apache-2.0
// A8: a matrix whose corners agree is taken for symmetric and copied.
// caught: correct wrong "output 'out'"
// caught: coverage rejected "variant.cuh"
__global__ void symmetric_corner(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  const bool symmetric =
      width == height && width > 4 && in[width - 1] == in[(size_t)width * (width - 1)] && in[1] == in[width];
  out[(size_t)x * height + y] = symmetric ? in[(size_t)x * height + y] : in[(size_t)y * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  symmetric_corner<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                               height);
  return true;
}
