// SPDX-License-Identifier: Apache-2.0
// B7: elements go through fmaxf(v, v), loaded twice so that no compiler drops it, which makes one NaN of all:
// a program that moves whole numbers or packed bytes as floats gets 0x7fffffff for its -1.
// caught: correct wrong "output"
__global__ void canonical_nans(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  const float v = in[(size_t)y * width + x];
  const float again = static_cast<const volatile float *>(in)[(size_t)y * width + x];
  float one;
  asm("max.f32 %0, %1, %2;" : "=f"(one) : "f"(v), "f"(again));
  out[(size_t)x * height + y] = one;
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  canonical_nans<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width,
                                                                                             height);
  return true;
}
