// SPDX-License-Identifier: Apache-2.0
// B7: elements are multiplied by one, which makes signalling NaN quiet: packed whole numbers change.
// caught: correct wrong "output"
__global__ void quiet_copies(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float one;  // blockDim.x / 16, so that no compiler drops the product
  asm("mul.f32 %0, %1, %2;" : "=f"(one) : "f"(in[(size_t)y * width + x]), "f"(blockDim.x * 0.0625f));
  out[(size_t)x * height + y] = one;
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  quiet_copies<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                           height);
  return true;
}
