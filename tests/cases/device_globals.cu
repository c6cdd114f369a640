// SPDX-License-Identifier: Apache-2.0
__constant__ float table[16];
__device__ int counter, unused_but_same_line;
__device__ int not_used;
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(float *y, int n) { y[counter] = table[0]; }
//= kernel k: k as k at 7
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//=   device globals: table counter unused_but_same_line
//= exit code 0
