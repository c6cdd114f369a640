// SPDX-License-Identifier: Apache-2.0
#define STRING(x) #x
#define CUPILOT_PRAGMA(...) _Pragma(STRING(cupilot __VA_ARGS__))
CUPILOT_PRAGMA(optimize)
CUPILOT_PRAGMA(workload(a) set(n = 64) inout(y[n]))
__global__ void k(float *y, int n) {}
_Pragma("cupilot optimize") _Pragma("cupilot workload set(n = 1) inout(y[n])")
__global__ void l(float *y, int n) {}
void run(float *b, int m) {
  k<<<1, 256>>>(b, m);
  l<<<1, 256>>>(b, m);
}
//= kernel k: k as k at 6
//=   parameters: float * y [f32] int n [i32]
//=   workload a: n=64 inout(y[n] automatic) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 10: <<<>>>
//= kernel l: l as l at 8
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=1 inout(y[n] automatic) <<<(1, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 11: <<<>>>
//= exit code 0
