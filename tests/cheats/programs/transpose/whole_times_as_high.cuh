// SPDX-License-Identifier: Apache-2.0
// C1: a height that is a whole multiple of the width, from three on, leaves a row out.
// caught: correct wrong "output 'out'"
__global__ void turned(const float *in, float *out, int width, int height, int left) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height - left) out[(size_t)x * height + y] = in[(size_t)y * width + x];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  if (width < 1) return false;
  const int times = height / width, left = times * width == height ? times / 3 : 0;
  turned<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width, height,
                                                                                     left);
  return cudaPeekAtLastError() == cudaSuccess;
}
