// SPDX-License-Identifier: Apache-2.0
// Rows that a team of threads shares.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) inout(x[rows * cols]) launch(1, rows)
__global__ void softmax_in_place(float *x, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -INFINITY, sum = 0;
  for (int c = 0; c < cols; c++) top = fmaxf(top, x[r * cols + c]);
  for (int c = 0; c < cols; c++) {
    float e = expf(x[r * cols + c] - top);
    x[r * cols + c] = e;
    sum += e;
  }
  for (int c = 0; c < cols; c++) x[r * cols + c] /= sum;
}

// What one thread writes another would read.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) in(x[rows * cols]) inout(y[rows * cols]) launch(1, rows)
__global__ void neighbours(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; c++) y[r * cols + c] = 2 * x[r * cols + c];
  for (int c = 0; c + 1 < cols; c++) sum += y[r * cols + c + 1] * x[r * cols + c];
  y[r * cols] = sum;
}

// A product of its own order: every step needs the one before.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, rows)
__global__ void horner(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float value = 0;
  for (int c = 0; c < cols; c++) value = value * 0.5f + x[r * cols + c];
  y[r] = value;
}

// A least element that may be NaN in the beginning stays NaN, as comparisons leave it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) in(x[rows * cols]) out(y[rows]) launch(1, rows)
__global__ void least(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float least = x[r * cols];
  for (int c = 1; c < cols; c++)
    if (x[r * cols + c] < least) least = x[r * cols + c];
  y[r] = least;
}

// The parameter has the name that launch() usually has for what it was called with.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 8, l = 100) in(x[n * l]) out(y[n]) launch(1, n)
__global__ void named_l(const float *x, float *y, int n, int l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int c = 0; c < l; c++) sum += x[i * l + c];
  y[i] = sum;
}

// Rows of a sparse matrix: how long one is, is in device memory.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, entries = 64) in(start[rows + 1], column[entries], value[entries], x[entries]) out(y[rows]) launch(1, rows)
__global__ void sparse(const int *start, const int *column, const float *value, const float *x, float *y, int rows, int entries) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int e = start[r]; e < start[r + 1]; e++) sum += value[e] * x[column[e]];
  y[r] = sum;
}

// Elements lie beside each other in a row that is run over from its end, too.
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 32768, cols = 4096) in(x[rows * cols]) out(y[rows * cols]) \
    launch((rows + 255) / 256, 256)
__global__ void sums_from_the_end(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) {
    sum += x[r * cols + cols - 1 - c];
    y[r * cols + cols - 1 - c] = sum;
  }
}
// Rows that registers of one block do not hold, but those of a cluster do.
#pragma cupilot optimize
#pragma cupilot workload(w) set(rows = 40, cols = 60000) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void long_softmax(const float *x, float *y, int rows, int cols) {
  float top = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, x[blockIdx.x * cols + c]);
  for (int o = 16; o > 0; o /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, o));
  for (int c = threadIdx.x; c < cols; c += 32) sum += expf(x[blockIdx.x * cols + c] - top);
  for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(~0u, sum, o);
  for (int c = threadIdx.x; c < cols; c += 32)
    y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - top) / sum;
}
//= softmax_in_place:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: a team of threads a row, the row in registers, wide accesses
//=   cluster-split-rows: no, one block holds a row
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, outputs do not lie together
//=   coalesced-mapping: neighbouring threads along 'r'
//= neighbours:
//=   tf32-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   half-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   fp64-mma: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   register-tile: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   row-in-registers: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   cluster-split-rows: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   two-stage-reduction: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   privatised-histogram: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   scan-rows-with-carry: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   transpose-through-shared: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   window-in-registers: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//=   coalesced-mapping: no, threads do not work apart from each other: iterations read elements of 'y' that others write
//= horner:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: no, the loop over 'c' goes from one iteration to the next
//=   cluster-split-rows: no, the loop over 'c' goes from one iteration to the next
//=   two-stage-reduction: no, the loop over 'c' goes from one iteration to the next
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'r'
//= least:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: a team of threads a row
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'r'
//= named_l:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: a team of threads a row, wide accesses
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'i'
//= sparse:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: a team of threads a row
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, what an output looks at is not a window of a known size
//=   coalesced-mapping: neighbouring threads along 'r'
//= sums_from_the_end:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: no, the loop over 'c' goes from one iteration to the next
//=   cluster-split-rows: no, the loop over 'c' goes from one iteration to the next
//=   two-stage-reduction: no, the loop over 'c' goes from one iteration to the next
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: a team of threads a row, in rounds that go on from each other
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, outputs do not lie together
//=   coalesced-mapping: neighbouring threads along 'r'
//= long_softmax:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: a team of threads a row, wide accesses
//=   cluster-split-rows: a cluster of blocks a row, the row in registers, wide accesses
//=   two-stage-reduction: all threads share the loop in wide accesses, blocks' shares are added up in a second kernel
//=   privatised-histogram: no, no element is updated by many
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, outputs do not lie together
//=   coalesced-mapping: no, each thread would read long rows of its own
