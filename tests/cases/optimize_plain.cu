// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 1 << 10) in(x[n]) out(y[n])
__global__ void k(const float *x, float *y, int n) {}
void run(const float *a, float *b, int m) { k<<<(m + 255) / 256, 256>>>(a, b, m); }
//= kernel k: k as k at 4
//=   parameters: const float * x [f32] float * y [f32] int n [i32]
//=   workload w1: n=1 << 10 in(x[n] automatic) out(y[n] automatic) <<<((n + 255) / 256, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 5: <<<>>>
//= exit code 0
