// SPDX-License-Identifier: Apache-2.0
#include "scattered.cuh"
#include "scattered.cuh"

enum { kFirst, kSecond };
typedef float Real;
namespace deep::inner {
namespace {
using ::weights;
__device__ Real tap(const Real *x, int i, int n) { return i >= 0 && i < n ? x[i] : 0; }
#pragma cupilot optimize
#pragma cupilot workload set(n = 1000) in(x[n]) out(y[n])
__global__ void stencil(const Real *x, Real *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Pair sum{0, 0};
#pragma unroll
  for (int k = 0; k < WIDTH; ++k) sum = sum + Pair{weights[k] * tap(x, i + k, n), float(kSecond)};
#ifdef __CUDA_ARCH__
  y[i] = sum.a + sum.b + fabsf(sum.a);
#else
  y[i] = 0;
#endif
}
}  // namespace
void run(const Real *x, Real *y, int n) { stencil<<<(n + 255) / 256, 256>>>(x, y, n); }
}  // namespace deep::inner

extern "C" {
#pragma cupilot optimize
#pragma cupilot workload set(n = 1000) inout(y[n]) launch(4, 256)
__global__ void __launch_bounds__(256) c_name(float *y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] += kSecond;
}
}
int main() { return static_cast<int>(host_only({}).size()); }
