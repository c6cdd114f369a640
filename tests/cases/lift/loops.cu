// SPDX-License-Identifier: Apache-2.0
// Loops of one thread: reductions, scans, elements that every iteration adds to, and what needs its order.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[cols]) launch(1, 128)
__global__ void column_mean(const float *x, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  y[c] = 0;
  for (int r = 0; r < rows; r++) y[c] += x[r * cols + c];
  y[c] /= rows;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows * cols]) launch(1, 128)
__global__ void row_scan(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float run = 0;
  for (int c = 0; c < cols; c++) {
    run += x[r * cols + c];
    y[r * cols + c] = run;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void largest(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float top = row[0];
  for (int c = 1; c < cols; c++)
    if (row[c] > top) top = row[c];
  y[r] = top;
}

// Takes a NaN over and lets it go again: the order matters.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void largest_or_nan(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = x[r * cols];
  for (int c = 1; c < cols; c++) top = top > x[r * cols + c] ? top : x[r * cols + c];
  y[r] = top;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 128) in(p[n]) out(f[n]) launch(1, 128)
__global__ void bodies(const float4 *p, float4 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ax = 0, ay = 0;
  float4 me = p[i];
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    float dx = p[j].x - me.x, dy = p[j].y - me.y;
    float w = p[j].w * rsqrtf(dx * dx + dy * dy);
    ax += w * dx;
    ay += w * dy;
  }
  f[i] = make_float4(ax, ay, 0, 0);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) in(x[n]) inout(bins[256]) launch(4, 256)
__global__ void histogram(const int *x, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void first_negative(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float found = 0;
  for (int c = 0; c < cols; c++)
    if (x[r * cols + c] < 0) {
      found = c;
      break;
    }
  y[r] = found;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void moving_pointer(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const float *p = x + r * cols;
  float sum = 0;
  for (int c = 0; c < cols; c++) sum += *p++;
  y[r] = sum;
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 128, cols = 96) in(x[rows * cols]) out(y[rows]) launch(1, 128)
__global__ void private_array(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float parts[4] = {};
  for (int c = 0; c < cols; c++) parts[c % 4] += x[r * cols + c];
  y[r] = parts[0] + parts[1] + parts[2] + parts[3];
}
//= column_mean:
//=   for c in 0 .. cols  (independent)
//=     float y_total = 0
//=     for r in 0 .. rows  (reduction)
//=       y_total += x[r * cols + c]
//=     y[c] = y_total / rows
//=   needs grid.x * block.x >= cols: the launch has a thread for every c
//=   needs x and y apart
//= row_scan:
//=   for r in 0 .. rows  (independent)
//=     float run = 0
//=     for c in 0 .. cols  (in order)
//=       run += x[r * cols + c]
//=       y[r * cols + c] = run
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= largest:
//=   for r in 0 .. rows  (independent)
//=     float top = x[r * cols + 0]
//=     for c in 1 .. cols  (reduction)
//=       top = max(top, x[r * cols + c])
//=     y[r] = top
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= largest_or_nan:
//=   for r in 0 .. rows  (independent)
//=     float top = x[r * cols]
//=     for c in 1 .. cols  (in order)
//=       top = top > x[r * cols + c] ? top : x[r * cols + c]
//=     y[r] = top
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= bodies:
//=   for i in 0 .. n  (independent)
//=     float ax = 0
//=     float ay = 0
//=     float me_x = p[i].x
//=     float me_y = p[i].y
//=     for j in 0 .. n  (reduction)
//=       if !(j == i)
//=         float dx = p[j].x - me_x
//=         float dy = p[j].y - me_y
//=         float w = p[j].w * rsqrtf(dx * dx + dy * dy)
//=         ax += w * dx
//=         ay += w * dy
//=     f[i] = make_float4(ax, ay, 0, 0)
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs p and f apart
//= histogram:
//=   for i in 0 .. n  (independent)
//=     bins[x[i]] += 1  (many may)
//=   needs grid.x * block.x >= n: the launch has a thread for every i
//=   needs x and bins apart
//= first_negative:
//=   line 81: a loop is left early
//= moving_pointer:
//=   for r in 0 .. rows  (independent)
//=     float sum = 0
//=     for c in 0 .. cols  (reduction)
//=       sum += x[cols * r + c]
//=     y[r] = sum
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= private_array:
//=   line 103: 'parts' is an array of each thread
