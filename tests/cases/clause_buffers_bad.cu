// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) in(x[m]) out(y)
#pragma cupilot workload(b) set(n = 64) in(x[n << 60])
#pragma cupilot workload(c) set(n = 64) out(x[n], y[n << 40])
#pragma cupilot workload(d) set(n = 64) in(x[n], z[n], n[4]) out(y[n], y[n])
#pragma cupilot workload(e) set(n = 64) in(x[n - 64]) out(y[n * 0.3])
__global__ void k(const float *x, float *y, int n) {}
void run(const float *a, float *b, int m) { k<<<1, 256>>>(a, b, m); }
//= error 3:54: the size of 'y' is missing; write out(y[elements])
//= error 4:1: pointer 'y' has no size; add out(y[elements]), or inout, in or scratch
//= error 4:48: integer overflow in '<<'
//= error 5:45: 'x' points to const, the kernel cannot write it; describe it with in(x[...])
//= error 5:53: the size of 'y' is 70368744177664 elements of 4 bytes, more than 1 TiB; check the factors of 'n << 40'
//= error 6:50: 'z' is not a parameter of 'k'; did you mean 'x'?
//= error 6:56: 'n' is not a pointer; give it a value with set(n = ...)
//= error 6:72: 'y' is described twice; keep one of them
//= error 7:46: the size of 'x' is 0; a buffer has at least one element
//= error 7:61: the size of 'y' is not an integer: n * 0.3
//= exit code 1
