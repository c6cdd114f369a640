// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize assume(finite(x), range(y, -1e4, 2 * 50), n > 0)
#pragma cupilot workload set(n = 64) in(x[n]) inout(y[n]) launch(1, 32)
__global__ void k(const float *x, float *y, int n) {}
//= kernel k: k as k at 4
//=   parameters: const float * x [f32] float * y [f32] int n [i32]
//=   assumes finite(x) at 2:33
//=   assumes range(y, -1e4, 2 * 50) at 2:44
//=   assumes n > 0 at 2:68
//=   workload w1: n=64 in(x[n] automatic) inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 0
