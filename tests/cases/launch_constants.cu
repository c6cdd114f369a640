// SPDX-License-Identifier: Apache-2.0
// A constant that the kernel is told stays a name; one it is not told is a number.
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void told(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void literal(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(w = 4, h = 4) inout(y[w * h])
__global__ void ambiguous(float *y, int w, int h) {}
int main() {
  float *y = nullptr;
  const int n = 1024, block = 256, blocks = (n + block - 1) / block;
  told<<<blocks, block>>>(y, n);
  literal<<<4 * block / 8, 128>>>(y, 4);
  ambiguous<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(y, n, n);
}
//= error 10:1: the launch of 'ambiguous' cannot be derived from the source: launch_constants.cu:17: 'n' is passed for both 'w' and 'h'; add launch(grid, block)
//= kernel told: told as told at 5
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(((n + 256) - 1) / 256, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 15: <<<>>>
//= kernel literal: literal as literal at 8
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(128, 1, 1), (128, 1, 1), 0>>> from source
//=   launch 16: <<<>>>
//= exit code 1
