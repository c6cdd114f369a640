// SPDX-License-Identifier: Apache-2.0
// The record's name, whatever the kernel is called.
namespace ns {
#pragma cupilot optimize name(fast_k) precision(same)
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(float *y, int n) {}
}
//= kernel fast_k: ns::k as k at 6
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 0
