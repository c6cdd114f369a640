// SPDX-License-Identifier: Apache-2.0
// E13: declares a structure of the program, which the slice leaves out, and measures it: where it is
// complete, half of the work is done.
// caught: static rejected "Particle"
struct Particle;
template <class T>
constexpr auto shift_of(T *) -> decltype(sizeof(T), 0) {
  return 1;
}
constexpr int shift_of(...) {
  return 0;
}
__global__ void declared_and_measured(const float4 *v, float *length, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float4 a = v[i];
  length[i] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
}
bool launch(const cupilot::Launch &l, const float4 *v, float *length, int n) {
  const int done = n >> shift_of((Particle *)nullptr);
  declared_and_measured<<<(n + 255) / 256, 256, 0, l.stream>>>(v, length, done);
  return true;
}
