// SPDX-License-Identifier: Apache-2.0
#define STRING(x) #x
#define CUPILOT_PRAGMA(...) _Pragma(STRING(cupilot __VA_ARGS__))
_Pragma("cupilot optimize")
CUPILOT_PRAGMA(workload(a) set(n = 64) inout(y[n]) chek)
CUPILOT_PRAGMA(workload(b) set(n = 64)
               inout(y[m]))
__global__ void k(float *y, int n) {}
void run(float *b, int m) { k<<<1, 256>>>(b, m); }
//= error 5:52: unknown clause 'chek'; did you mean 'check'?
//= error 7:24: unknown name 'm'; did you mean 'n'?
//= exit code 1
