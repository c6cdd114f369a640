// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 3) inout(y[n]) launch(1, 32) weight(2.5)
#pragma cupilot workload(b) set(n = 5) inout(y[n]) launch(1, 32) weight(0)
#pragma cupilot workload(c) set(n = 7) inout(y[n]) launch(1, 32) holdout
#pragma cupilot workload(d) set(n = 9) inout(y[n]) launch(1, 32) check holdout
__global__ void k(float *y, int n) {}
//= kernel k: k as k at 7
//=   parameters: float * y [f32] int n [i32]
//=   workload a: n=3 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>> weight(2.5)
//=   workload b: n=5 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>> weight(0)
//=   workload c: n=7 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>> holdout
//=   workload d: n=9 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>> check holdout
//= exit code 0
