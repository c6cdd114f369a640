// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 3) inout(y[n]) check
#pragma cupilot workload set(n = 5) inout(y[n])
__global__ void k(float *y, int n) {}
void run(float *b, int m) { k<<<1, 256>>>(b, m); }
//= kernel k: k as k at 5
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=3 inout(y[n] automatic) <<<(1, 1, 1), (256, 1, 1), 0>>> from source check
//=   workload w2: n=5 inout(y[n] automatic) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 6: <<<>>>
//= exit code 0
