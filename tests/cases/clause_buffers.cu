// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload set(n = 64) in(a[n], b[n/2]) out(c[n]) inout(d[n]) scratch(e[1])
__global__ void k(const float *a, const int *b, double *c, unsigned char *d, long long *e, int n) {}
void run(const float *a, const int *b, double *c, unsigned char *d, long long *e) { k<<<1, 64>>>(a, b, c, d, e, 64); }
//= kernel k: k as k at 4
//=   parameters: const float * a [f32] const int * b [i32] double * c [f64] unsigned char * d [u8] long long * e [i64] int n [i32]
//=   workload w1: n=64 in(a[n] automatic) in(b[n/2] automatic) out(c[n] automatic) inout(d[n] automatic) scratch(e[1] automatic) <<<(1, 1, 1), (64, 1, 1), 0>>> from source
//=   launch 5: <<<>>>
//= exit code 0
