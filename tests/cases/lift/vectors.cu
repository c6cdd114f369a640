// SPDX-License-Identifier: Apache-2.0
// Vectors in buffers of numbers: where the buffers begin, and by how much rows go on, follows from them.
#include <cuda_fp16.h>

// Rows begin at vectors.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, cols = 256) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 64)
__global__ void row_in_fours(const float *x, float *y, int rows, int cols) {
  const float4 *from = reinterpret_cast<const float4 *>(x + blockIdx.x * cols);
  float4 *to = reinterpret_cast<float4 *>(y + blockIdx.x * cols);
  for (int c = threadIdx.x; c < cols / 4; c += blockDim.x) {
    float4 v = from[c];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    to[c] = v;
  }
}

// Numbered as vectors, all that is needed is where the buffers begin.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n]) out(y[n]) launch((n / 2 + 255) / 256, 256)
__global__ void twos(const float *x, float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const float2 v = reinterpret_cast<const float2 *>(x)[i];
  reinterpret_cast<float2 *>(y)[i] = make_float2(v.y, v.x);
}

// The one row that a workload has may be of any length.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 1, cols = 4098) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((cols / 4 + 255) / 256, rows), 256)
__global__ void any_length(const float *x, float *y, int rows, int cols) {
  const int c = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (c + 3 >= cols) return;
  const float4 v = *reinterpret_cast<const float4 *>(x + blockIdx.y * cols + c);
  *reinterpret_cast<float4 *>(y + blockIdx.y * cols + c) = make_float4(v.w, v.z, v.y, v.x);
}

// Elements one by one, also where a step takes several and threads share the steps.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 4096) in(x[n]) inout(y[1]) launch(8, 128)
__global__ void pairs_of_all(const int *x, int *y, int n) {
  int sum = 0;
  for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 2 * blockDim.x * gridDim.x) sum += x[i] + x[i + 1];
  atomicAdd(y, sum);
}

// These only look like it: the second element of a step counts otherwise, a step leaves an element out, and what a
// step stores is read by its next element.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, n = 256) in(x[rows * n]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void alternating(const float *x, float *y, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < n; i += 2) sum += x[row * n + i] - x[row * n + i + 1];
  y[row] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, n = 256) in(x[rows * n]) out(y[rows]) launch((rows + 63) / 64, 64)
__global__ void two_of_four(const float *x, float *y, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < n; i += 4) sum += x[row * n + i] + x[row * n + i + 1];
  y[row] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 64, n = 256) inout(x[rows * (n + 1)]) launch((rows + 63) / 64, 64)
__global__ void from_the_next(float *x, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int i = 0; i < n; i += 2) {
    x[row * (n + 1) + i] = 2 * x[row * (n + 1) + i + 1];
    x[row * (n + 1) + i + 1] = 2 * x[row * (n + 1) + i + 2];
  }
}

// Pairs of halves, and one that may be left.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void pairs_or_one(const __half *x, __half *y, int n) {
  const int at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (at + 1 < n) {
    float2 v = __half22float2(*reinterpret_cast<const __half2 *>(x + at));
    v.x = tanhf(v.x);
    v.y = tanhf(v.y);
    *reinterpret_cast<__half2 *>(y + at) = __float22half2_rn(v);
  } else if (at < n) {
    y[at] = __float2half(tanhf(__half2float(x[at])));
  }
}

// Arithmetic of halves.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch((n / 2 + 255) / 256, 256)
__global__ void pairs(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const __half2 two = __float2half2_rn(2.0f), v = reinterpret_cast<const __half2 *>(x)[i];
  reinterpret_cast<__half2 *>(y)[i] = __hfma2(v, two, __halves2half2(__high2half(v), __low2half(v)));
}

// The one that is left is worked out otherwise.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void one_is_other(const __half *x, __half *y, int n) {
  const int at = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (at + 1 < n) {
    float2 v = __half22float2(*reinterpret_cast<const __half2 *>(x + at));
    *reinterpret_cast<__half2 *>(y + at) = __floats2half2_rn(2 * v.x, 2 * v.y);
  } else if (at < n) {
    y[at] = __float2half(3 * __half2float(x[at]));
  }
}

// Three may be left, of which one is done.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void one_of_three(const float *x, float *y, int n) {
  const int at = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (at + 3 < n) {
    y[at] = x[at];
    y[at + 1] = x[at + 1];
    y[at + 2] = x[at + 2];
    y[at + 3] = x[at + 3];
  } else if (at < n) {
    y[at] = x[at];
  }
}

// Both members of a pair are made of the other.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) out(y[n]) launch((n / 2 + 255) / 256, 256)
__global__ void swaps_its_pair(const __half *x, __half *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  __half2 v = reinterpret_cast<const __half2 *>(x)[i];
  v = __halves2half2(__high2half(v), __low2half(v));
  v = __hadd2(v, v);
  reinterpret_cast<__half2 *>(y)[i] = v;
}

// The thread after the last pair does the one that is left of an odd number.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void odd_one(const float *x, float *y, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, pairs = n >> 1;
  if (t < pairs) {
    const float2 v = reinterpret_cast<const float2 *>(x)[t];
    reinterpret_cast<float2 *>(y)[t] = make_float2(v.x * 2, v.y * 2);
  } else if (t == pairs && (n & 1)) {
    y[n - 1] = x[n - 1] * 2;
  }
}

// Where the number is even that would be done twice.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void even_one(const float *x, float *y, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, pairs = n >> 1;
  if (t < pairs) {
    const float2 v = reinterpret_cast<const float2 *>(x)[t];
    reinterpret_cast<float2 *>(y)[t] = make_float2(v.x * 2, v.y * 2);
  } else if (t == pairs && n % 2 == 0) {
    y[n - 1] = x[n - 1] * 2;
  }
}

// Another one than the last.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1001) in(x[n]) out(y[n]) launch((n / 2 + 256) / 256, 256)
__global__ void one_before(const float *x, float *y, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, pairs = n >> 1;
  if (t < pairs) {
    const float2 v = reinterpret_cast<const float2 *>(x)[t];
    reinterpret_cast<float2 *>(y)[t] = make_float2(v.x * 2, v.y * 2);
  } else if (t == pairs && n % 2 == 1) {
    y[n - 2] = x[n - 2] * 2;
  }
}
//= row_in_fours:
//=   for block_c in 0 .. cols * grid.x  (independent)
//=     y[block_c] = x[block_c] * 2
//=   needs cols % 4 == 0: 'x' is accessed 4 elements at once
//=   needs x and y apart
//=   needs x to begin at a multiple of 4 elements: so many are accessed at once
//=   needs y to begin at a multiple of 4 elements: so many are accessed at once
//= twos:
//=   for i in 0 .. n / 2  (independent)
//=     float v_x = x[i * 2 + 0]
//=     float v_y = x[i * 2 + 1]
//=     y[i * 2 + 0] = v_y
//=     y[i * 2 + 1] = v_x
//=   needs grid.x * block.x >= n / 2: the launch has a thread for every i
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= any_length:
//=   for block_y in 0 .. grid.y  (independent)
//=     for i in 0 .. grid.x * block.x  (independent)
//=       if 4 * i + 3 < cols
//=         float v_x = x[block_y * cols + 4 * i + 0]
//=         float v_y = x[block_y * cols + 4 * i + 1]
//=         float v_z = x[block_y * cols + 4 * i + 2]
//=         float v_w = x[block_y * cols + 4 * i + 3]
//=         y[block_y * cols + 4 * i + 0] = v_w
//=         y[block_y * cols + 4 * i + 1] = v_z
//=         y[block_y * cols + 4 * i + 2] = v_y
//=         y[block_y * cols + 4 * i + 3] = v_x
//=   needs x and y apart
//=   needs x to begin at a multiple of 4 elements: so many are accessed at once
//=   needs y to begin at a multiple of 4 elements: so many are accessed at once
//= pairs_of_all:
//=   int sum = 0
//=   for i in 0 .. 2 * ((n + 1) / 2)  (reduction)
//=     sum += x[i]
//=   y[0] += sum  (many may)
//=   needs x and y apart
//= alternating:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for i in 0 .. n step 2  (reduction)
//=       sum += x[row * n + i] - x[row * n + i + 1]
//=     y[row] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= two_of_four:
//=   for row in 0 .. rows  (independent)
//=     float sum = 0
//=     for i in 0 .. n step 4  (reduction)
//=       sum += x[row * n + i] + x[row * n + i + 1]
//=     y[row] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every row
//=   needs x and y apart
//= from_the_next:
//=   line 75: threads do not work apart from each other: iterations read elements of 'x' that others write
//= pairs_or_one:
//=   for i_at in 0 .. n  (independent)
//=     y[i_at] = __float2half(tanhf(__half2float(x[i_at])))
//=   needs 2 * (block.x * grid.x) >= n: the launch has threads for every i_at
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= pairs:
//=   for i in 0 .. n / 2  (independent)
//=     __half two_x = __float2half(2.0f)
//=     __half two_y = __float2half(2.0f)
//=     __half v_x = x[i * 2 + 0]
//=     __half v_y = x[i * 2 + 1]
//=     y[i * 2 + 0] = __hfma(v_x, two_x, v_y)
//=     y[i * 2 + 1] = __hfma(v_y, two_y, v_x)
//=   needs grid.x * block.x >= n / 2: the launch has a thread for every i
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= one_is_other:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     if 2 * i + 1 < n
//=       float v_x = __half2float(x[2 * i + 0])
//=       float v_y = __half2float(x[2 * i + 1])
//=       y[2 * i + 0] = __float2half(2 * v_x)
//=       y[2 * i + 1] = __float2half(2 * v_y)
//=     else
//=       if 2 * i < n
//=         y[2 * i] = __float2half(3 * __half2float(x[2 * i]))
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= one_of_three:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     if 4 * i + 3 < n
//=       y[4 * i] = x[4 * i]
//=       y[4 * i + 1] = x[4 * i + 1]
//=       y[4 * i + 2] = x[4 * i + 2]
//=       y[4 * i + 3] = x[4 * i + 3]
//=     else
//=       if 4 * i < n
//=         y[4 * i] = x[4 * i]
//=   needs x and y apart
//= swaps_its_pair:
//=   for i in 0 .. n / 2  (independent)
//=     __half v_x = x[i * 2 + 0]
//=     __half v_y = x[i * 2 + 1]
//=     __half v_new = v_y
//=     __half v_new_2 = v_x
//=     __half v_x_2 = v_new
//=     __half v_y_2 = v_new_2
//=     __half v_x_3 = __hadd(v_x_2, v_x_2)
//=     __half v_y_3 = __hadd(v_y_2, v_y_2)
//=     y[i * 2 + 0] = v_x_3
//=     y[i * 2 + 1] = v_y_3
//=   needs grid.x * block.x >= n / 2: the launch has a thread for every i
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= odd_one:
//=   for t_at in 0 .. n  (independent)
//=     y[t_at] = x[t_at] * 2
//=   needs 2 * (block.x * grid.x) >= n: the launch has threads for every t_at
//=   needs x and y apart
//=   needs x to begin at a multiple of 2 elements: so many are accessed at once
//=   needs y to begin at a multiple of 2 elements: so many are accessed at once
//= even_one:
//=   line 164: threads do not work apart from each other: every iteration writes the same element of 'y'
//= one_before:
//=   line 177: threads do not work apart from each other: every iteration writes the same element of 'y'
