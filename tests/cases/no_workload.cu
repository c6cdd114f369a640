// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
__global__ void k(float *y, int n) {}
//= warning 2:1: kernel 'k' has no workload and cannot be tuned; watch a program that launches it ('cupilot capture -- PROGRAM'), or add '#pragma cupilot workload set(...) in(...) out(...)'
//= kernel k: k as k at 3
//=   parameters: float * y [f32] int n [i32]
//= exit code 0
