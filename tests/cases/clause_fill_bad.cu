// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) in(i[n]) out(y[n]) fill(i = normal(0, 1), y = zeros, q = iota)
#pragma cupilot workload(b) set(n = 64) in(i[n]) out(y[n]) fill(i = norml(0, 1))
#pragma cupilot workload(c) set(n = 64) in(i[n]) out(y[n]) fill(i = randint(4, 4))
#pragma cupilot workload(d) set(n = 64) in(i[n]) out(y[n]) fill(i = file("missing.npy"))
#pragma cupilot workload(e) set(n = 64) in(i[n]) out(y[n]) fill(i = randint(4))
__global__ void k(const int *i, float *y, int n) {}
void run(const int *i, float *b, int m) { k<<<1, 256>>>(i, b, m); }
//= error 3:69: fill 'normal' has no meaning for elements of type 'int'; use randint(low, high)
//= error 3:83: 'y' is not read by the kernel, so a fill has no effect; describe it with inout(y[...]) if it is
//= error 3:94: 'q' has a fill but is not a buffer of this workload; did you mean 'i'?
//= error 4:69: unknown fill 'norml'; did you mean 'normal'?
//= error 5:77: fill 'randint' has an empty range; the first number must be the smaller one
//= error 6:74: file "missing.npy" cannot be read; relative names are looked up beside the source file
//= error 7:69: wrong number of arguments for fill 'randint'; write randint(low, high)
//= exit code 1
