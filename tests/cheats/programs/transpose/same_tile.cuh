// SPDX-License-Identifier: Apache-2.0
// A10: one tile of every eight rows of tiles is read and stands for all; with data that repeats nobody
// sees it.
// caught: correct wrong "output 'out'"
__global__ void same_tile(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int from = (blockIdx.y & ~7) * 16 + threadIdx.y;
  if (x < width && y < height) out[(size_t)x * height + y] = in[(size_t)from * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  same_tile<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                        height);
  return true;
}
