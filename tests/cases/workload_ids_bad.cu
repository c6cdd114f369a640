// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(w2) set(n = 7) inout(y[n]) check check
#pragma cupilot workload(a) set(n = 7) inout(y[n])
#pragma cupilot workload(a) set(n = 8) inout(y[n])
#pragma cupilot workload(3) set(n = 8) inout(y[n])
__global__ void k(float *y, int n) {}
void run(float *b, int m) { k<<<1, 256>>>(b, m); }
//= error 3:59: clause 'check' appears twice; keep one of them
//= error 5:1: workload 'a' is defined twice; give it another name
//= error 6:26: expected a name in parentheses before '3'; write workload(small)
//= exit code 1
