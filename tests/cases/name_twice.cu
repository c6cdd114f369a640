// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(double *y, int n) {}
#pragma cupilot optimize name(k)
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(int *y, int n) {}
//= error 8:1: two kernels of this file would have the record name 'k'; give one of them 'name(...)'
//= kernel k: k as k at 4
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= kernel k.double.ptr.int: k as k at 7
//=   parameters: double * y [f64] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//= exit code 1
