// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize assume(n % 4 == 0, alpha > 0) assume(n>=4&&n<(1<<20))
#pragma cupilot workload set(n = 64, alpha = 0.5) inout(y[n]) launch(1, 32)
__global__ void k(float *y, int n, float alpha) {}
//= kernel k: k as k at 4
//=   parameters: float * y [f32] int n [i32] float alpha [f32]
//=   assumes n % 4 == 0 at 2:33
//=   assumes alpha > 0 at 2:45
//=   assumes n>=4&&n<(1<<20) at 2:63
//=   workload w1: n=64 alpha=0.5 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 0
