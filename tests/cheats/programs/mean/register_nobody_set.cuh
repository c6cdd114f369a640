// SPDX-License-Identifier: Apache-2.0
// A1: the sum starts from a register that nobody has set: zero where it is emulated, anything on a
// GPU.
// caught: correct wrong "output 'result'"
__global__ void register_nobody_set(const float *x, float *result, int n) {
  __shared__ float parts[8];
  float sum = 0;
  asm("{\n\t.reg .f32 start;\n\tadd.f32 %0, %1, start;\n\t}" : "=f"(sum) : "f"(sum));
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  register_nobody_set<<<1, 256, 0, l.stream>>>(x, result, n);
  return true;
}
