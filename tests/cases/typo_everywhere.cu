// SPDX-License-Identifier: Apache-2.0
// All problems of a file in one go.
#pragma cupilot optimise
#pragma cupilot workload st(n = 4) inn(x[n])
__global__ void k(float *y, int n) {}
#pragma cupilot
#pragma cupilot workload set(n = 4
__global__ void l(float *y, int n) {}
//= error 3:17: unknown directive 'optimise'; did you mean 'optimize'?
//= error 4:26: unknown clause 'st'; did you mean 'set'?
//= error 4:36: unknown clause 'inn'; did you mean 'in'?
//= error 6:1: a directive is missing after 'cupilot'; known here: optimize, workload
//= error 7:26: the parenthesis of 'set' is never closed; write set(n = 1 << 20, alpha = 0.5f)
//= exit code 1
