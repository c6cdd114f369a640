// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#pragma cupilot optimize name(macro)
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void in_macro(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void in_lambda(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(h = 4, w = 4) inout(y[h * w])
__global__ void two_dimensions(float *y, int h, int w) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void helper_function(float *y, size_t n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void with_shared(float *y, int n) {}
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n])
__global__ void rounded_up(float *y, int n) {}
inline int ceil_div(int a, int b) { return (a + b - 1) / b; }
const int kTile = 16;
void run(float *y, int rows, int cols, size_t size) {
  LAUNCH(in_macro, (rows + 63) / 64, 64, y, rows);
  [=] { in_lambda<<<min(rows, 128), 32>>>(y, rows); }();
  dim3 block(kTile, kTile), grid(ceil_div(cols, block.x), ceil_div(rows, block.y));
  two_dimensions<<<grid, block>>>(y, rows, cols);
  const unsigned blocks = static_cast<unsigned>(ceil_div((int)size, 256));
  helper_function<<<blocks, 256>>>(y, size);
  with_shared<<<1, rows, rows * sizeof(float)>>>(y, rows);
  rounded_up<<<(int)ceil((float)rows / 256), 256>>>(y, rows);
}
//= kernel macro: in_macro as in_macro at 6
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<((n + 63) / 64, 1, 1), (64, 1, 1), 0>>> from source
//=   launch 25: <<<>>>
//= kernel in_lambda: in_lambda as in_lambda at 9
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(min(n, 128), 1, 1), (32, 1, 1), 0>>> from source
//=   launch 26: <<<>>>
//= kernel two_dimensions: two_dimensions as two_dimensions at 12
//=   parameters: float * y [f32] int h [i32] int w [i32]
//=   workload w1: h=4 w=4 inout(y[h * w] automatic) <<<(((w + 16) - 1) / 16, ((h + 16) - 1) / 16, 1), (16, 16, 1), 0>>> from source
//=   launch 28: <<<>>>
//= kernel helper_function: helper_function as helper_function at 15
//=   parameters: float * y [f32] unsigned long n [u64]
//=   workload w1: n=4 inout(y[n] automatic) <<<(((n + 256) - 1) / 256, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 30: <<<>>>
//= kernel with_shared: with_shared as with_shared at 18
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (n, 1, 1), n * 4>>> from source
//=   launch 31: <<<>>>
//= kernel rounded_up: rounded_up as rounded_up at 21
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<((n + 256 - 1) / 256, 1, 1), (256, 1, 1), 0>>> from source
//=   launch 32: <<<>>>
//= exit code 0
