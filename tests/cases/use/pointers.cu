// SPDX-License-Identifier: Apache-2.0
//
// What kernels do with their pointers, as far as the text shows.
#include <cuda_runtime.h>

struct Cell {
  float heat;
  int kind;
};

struct View {
  float *data;
};

__device__ void put(float *to, float value) {
  *to = value;
}

__device__ void both(const float *from, float &to) {
  to = from[1];
}

__device__ float first(float *from) {
  return from[0];
}

__device__ void take(View view, int i) {
  view.data[i] = 1;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 64) in(x[n]) out(y[n], z[n]) inout(sum[n], count[n]) launch(1, 64)
__global__ void plainly(float *x, float *y, float *z, float *sum, int *count, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
  *(z + i) = x[(i + 1) % n];
  sum[i] += x[i];
  atomicAdd(&count[i], 1);
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 64) in(x[n]) out(y[n], z[n]) launch(1, 64)
__global__ void through_functions(float *x, float *y, float *z, int n) {
  float *row = y + threadIdx.x;
  put(row, first(x + threadIdx.x));
  both(x, z[threadIdx.x]);
  if (n < 0) row += n;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 64) in(cells[n], x[n]) out(y[n]) inout(z[n]) launch(1, 64)
__global__ void members(Cell *cells, float *x, Cell *y, float *z, int n) {
  Cell *mine = &cells[threadIdx.x];
  Cell &there = y[threadIdx.x];
  there.heat = mine->heat + (*mine).kind;
  y[threadIdx.x].kind = 1;
  float4 *wide = reinterpret_cast<float4 *>(x);
  z[threadIdx.x] = wide[threadIdx.x / 4].x;
  float &own = z[threadIdx.x];
  own *= 2;
}

/// None of these is known: they go where they are not followed.
#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 64) in(x[n], a[n]) inout(y[n], z[n], b[n]) launch(1, 64)
__global__ void elsewhere(float *x, float *y, float *z, float *a, float *b, int n) {
  const float *source = n > 3 ? x : a;
  View view{y};
  take(view, n - 1);
  float &either = n > 5 ? z[0] : b[0];
  either = source[0];
  if (a == b) b[1] = 0;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 64) in(x[n]) out(y[n]) launch(1, 64)
__global__ void assembly(float *x, float *y, int n) {
  const int i = threadIdx.x;
  float got;
  asm("ld.global.f32 %0, [%1];" : "=f"(got) : "l"(x + i));
  y[i] = got;
}
//= plainly: reads x; writes y z
//= through_functions: reads x; writes y z
//= members: reads cells x; writes y
//= elsewhere: reads ; writes 
//= assembly: reads ; writes y
