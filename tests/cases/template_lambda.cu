// SPDX-License-Identifier: Apache-2.0
// A lambda's type has no name outside: nothing can be swapped in, and that is said.
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(x[n])
template <class F>
__global__ void apply(float *x, int n, F f) {}
void run(float *x) {
  apply<<<1, 32>>>(x, 1, [](float v) { return v; });
}
//= warning 3:1: an instantiation of 'apply' uses a lambda or a local type and is left alone; name the type at namespace scope
//= exit code 0
