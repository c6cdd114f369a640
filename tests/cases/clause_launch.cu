// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) inout(y[n]) launch((n + 31) / 32, 32)
#pragma cupilot workload(b) set(n = 64) inout(y[n]) launch(dim3(n, 2), dim3(8, 8, 2), n * 4)
__global__ void k(float *y, int n) {}
//= kernel k: k as k at 5
//=   parameters: float * y [f32] int n [i32]
//=   workload a: n=64 inout(y[n] automatic) <<<((n + 31) / 32, 1, 1), (32, 1, 1), 0>>>
//=   workload b: n=64 inout(y[n] automatic) <<<(n, 2, 1), (8, 8, 2), n * 4>>>
//= exit code 0
