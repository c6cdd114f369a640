// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) inout(y[n])
#pragma cupilot workload(b) set(n = 64) inout(y[n]) launch(0, 32)
#pragma cupilot workload(c) set(n = 64) inout(y[n]) launch(1, dim3(64, 64))
#pragma cupilot workload(d) set(n = 64) inout(y[n]) launch(1, 32, 1 << 20)
#pragma cupilot workload(e) set(n = 64) inout(y[n]) launch(m, 32)
#pragma cupilot workload(f) set(n = 64) inout(y[n]) launch(32)
__global__ void k(float *y, int n) {}
//= error 3:1: the launch of 'k' cannot be derived from the source: this file does not launch it; add launch(grid, block)
//= error 4:60: grid.x is 0 in this workload; it must lie in [1, 2147483647]
//= error 5:68: a block of 4096 threads is more than 1024
//= error 6:67: dynamic shared memory is 1048576 in this workload; it must lie in [0, 232448]
//= error 7:60: unknown name 'm'; did you mean 'n'?
//= error 8:62: expected ',' before ')'; write launch((n + 255) / 256, 256)
//= exit code 1
