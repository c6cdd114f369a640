// SPDX-License-Identifier: Apache-2.0
int ask();
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void runtime(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void changed(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void changed_dim3(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void differs(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void never(float *y, int n) {}
void run(float *y, int n) {
  runtime<<<ask(), 32>>>(y, n);
  int blocks = n;
  if (n > 5) blocks = 5;
  changed<<<blocks, 32>>>(y, n);
  dim3 grid(n);
  grid.y = 2;
  changed_dim3<<<grid, 32>>>(y, n);
  differs<<<n, 32>>>(y, n);
  differs<<<n, 64>>>(y, n);
}
//= error 4:1: the launch of 'runtime' cannot be derived from the source: launch_unreadable.cu:19: 'ask()' cannot be computed from the kernel's arguments; add launch(grid, block)
//= error 7:1: the launch of 'changed' cannot be derived from the source: launch_unreadable.cu:22: 'blocks' cannot be computed from the kernel's arguments; add launch(grid, block)
//= error 10:1: the launch of 'changed_dim3' cannot be derived from the source: launch_unreadable.cu:25: 'grid' cannot be computed from the kernel's arguments; add launch(grid, block)
//= error 13:1: the launch of 'differs' cannot be derived from the source: the launches at launch_unreadable.cu:26 and launch_unreadable.cu:27 differ; add launch(grid, block)
//= error 16:1: the launch of 'never' cannot be derived from the source: this file does not launch it; add launch(grid, block)
//= exit code 1
