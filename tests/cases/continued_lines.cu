// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize \
    name(long_one)
#pragma cupilot workload(a) \
    set(n = 64)             \
    inout(y[n],             \
          z[m])
__global__ void k(float *y, int n) {}
void run(float *b, int m) { k<<<1, 256>>>(b, m); }
//= error 7:11: 'z' is not a parameter of 'k'; did you mean 'y'?
//= exit code 1
