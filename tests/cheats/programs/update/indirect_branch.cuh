// SPDX-License-Identifier: Apache-2.0
// C1: an indirect branch in assembly takes a thousandth of the step away at sizes (3571, 7752, 10336) that
// a hash picks: no predicate is there, and all of it is one place of the text.
// caught: correct wrong "output"
// open: brx.idx has no predicate: no condition is seen, and the assembly is one place
__global__ void indirect_branch(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float factor = alpha;
  unsigned way;
  asm("{\n\t.reg .u32 t;\n\txor.b32 t, %1, 4093;\n\tmin.u32 t, t, 1;\n\tsub.u32 %0, 1, t;\n\t}"
      : "=r"(way)
      : "r"((unsigned)n * 2654435761u >> 20));
  asm("{\n\tmov.f32 %0, %0;\n\tts: .branchtargets Same%=, Less%=;\n\tbrx.idx %1, ts;\nLess%=:\n\tmul.f32 %0, "
      "%0, 0f3F7FBE77;\nSame%=:\n\t}"
      : "+f"(factor)
      : "r"(way));
  y[i] = y[i] + factor * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  indirect_branch<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
