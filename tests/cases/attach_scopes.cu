// SPDX-License-Identifier: Apache-2.0
// Namespaces and extern "C" are no declarations of their own.
namespace a {
#pragma cupilot optimize
namespace {
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void k(float *y, int n) {}
}
}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
extern "C" __global__ void c_kernel(float *y, int n) {}
extern "C" {
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
[[maybe_unused]] static __global__ __launch_bounds__(128) void other(float *y, int n) {}
}
void run(float *y) {
  a::k<<<1, 32>>>(y, 1);
  c_kernel<<<2, 32>>>(y, 1);
  other<<<3, 32>>>(y, 1);
}
//= kernel a.k: a::k as k at 7
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>> from source
//=   launch 19: <<<>>>
//= kernel c_kernel: c_kernel as c_kernel at 12
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(2, 1, 1), (32, 1, 1), 0>>> from source
//=   launch 20: <<<>>>
//= kernel other: other as other at 16
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(3, 1, 1), (32, 1, 1), 0>>> from source
//=   launch 21: <<<>>>
//= exit code 0
