// SPDX-License-Identifier: Apache-2.0
// nvcc reports what is wrong with the code; a scan works around it.
__global__ void broken() { undeclared_function(1); }
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void k(float *y, int n) { y[0] = __builtin_unknown_to_clang(n); }
void run(float *y, int n) { k<<<n, 32>>>(y, n); }
//= kernel k: k as k at 6
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(n, 1, 1), (32, 1, 1), 0>>> from source
//=   launch 7: <<<>>>
//= exit code 0
