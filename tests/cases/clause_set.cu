// SPDX-License-Identifier: Apache-2.0
// Names build on names; a helper name need not be a parameter.
#pragma cupilot optimize
#pragma cupilot workload set(k = 4, n = k * k, alpha = 0.5f) inout(y[n])
__global__ void scale(float *y, int n, float alpha) {}
void run(float *b, int m) { scale<<<(m + 255) / 256, 256>>>(b, m, 2); }
//= kernel scale: scale as scale at 5
//=   parameters: float * y [f32] int n [i32] float alpha [f32]
//=   workload w1: k=4 n=k * k alpha=0.5f inout(y[n] automatic) <<<((n + 255) / 256, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 6: <<<>>>
//= exit code 0
