// SPDX-License-Identifier: Apache-2.0
#pragma cupilot optimize
__device__ float helper(float x) { return x; }
#pragma cupilot optimize
int counter;
template <class T>
#pragma cupilot optimize
__global__ void between(T *y) {}
__global__ void inside(float *y) {
#pragma cupilot optimize
  y[0] = helper(0);
}
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void no_optimize(float *y, int n) {}
#pragma cupilot optimize
//= error 2:1: 'cupilot optimize' stands before the function 'helper', which is not a __global__ function; put it directly before the kernel, before 'template' if it has one
//= error 4:1: 'cupilot optimize' stands before the declaration 'counter', which is not a __global__ function; put it directly before the kernel, before 'template' if it has one
//= error 7:1: 'cupilot optimize' stands inside a declaration; put it directly before the kernel, before 'template' if it has one
//= error 10:1: 'cupilot optimize' stands inside a declaration; put it directly before the kernel, before 'template' if it has one
//= error 13:1: 'cupilot workload' stands before a kernel without '#pragma cupilot optimize'; add '#pragma cupilot optimize' before it
//= error 15:1: 'cupilot optimize' is not followed by a kernel; put it directly before the kernel, before 'template' if it has one
//= exit code 1
