// SPDX-License-Identifier: Apache-2.0
// Loops that run once, histograms, scans and transpositions.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000) inout(x[n]) launch(1, 256)
__global__ void normalise(float *x, int n) {
  __shared__ float parts[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  float norm = sqrtf(parts[0]);
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] /= norm;
}

// What is counted depends on what was counted before.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000, bins = 16) in(x[n]) inout(counts[bins]) fill(x = randint(0, 16)) launch(4, 256)
__global__ void conditional(const int *x, int *counts, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && counts[x[i]] < 10) atomicAdd(&counts[x[i]], 1);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 1000, bins = 16) in(x[n], w[n]) inout(sums[bins]) fill(x = randint(0, 16)) launch(4, 256)
__global__ void weighted(const int *x, const float *w, float *sums, int n, int bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sums[x[i]], w[i]);
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) in(x[rows * cols]) out(y[rows * cols]) launch(1, rows)
__global__ void exclusive(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float run = 1;
  for (int c = 0; c < cols; c++) {
    y[r * cols + c] = run;
    run *= x[r * cols + c];
  }
}

// The scan's own output is its input.
#pragma cupilot optimize
#pragma cupilot workload(a) set(rows = 8, cols = 100) inout(y[rows * cols]) launch(1, rows)
__global__ void recurrence(float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  for (int c = 1; c < cols; c++) y[r * cols + c] += y[r * cols + c - 1];
}

#pragma cupilot optimize
#pragma cupilot workload(a) set(w = 40, h = 50, d = 3) in(x[w * h * d]) out(y[w * h * d]) launch(dim3(2, 2, d), dim3(32, 32))
__global__ void planes(const float *x, float *y, int w, int h, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z;
  if (i < w && j < h) y[(k * w + i) * h + j] = 2 * x[(k * h + j) * w + i];
}

// In place: others read what is already written.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 32) inout(x[n * n]) launch(1, dim3(32, 32))
__global__ void flip(float *x, int n) {
  int i = threadIdx.x, j = threadIdx.y;
  float v = x[j * n + i];
  __syncthreads();
  x[i * n + j] = v;
}
//= normalise:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: no, it has no rows that are independent of each other
//=   cluster-split-rows: no, it has no rows that are independent of each other
//=   two-stage-reduction: all threads share the loop in wide accesses, blocks' shares are added up in a second kernel
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, it has no rows that are independent of each other
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, the kernel has no elements that are independent of each other
//=   coalesced-mapping: no, the kernel has no elements that are independent of each other
//= conditional:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: no, an element has no loop that threads could share
//=   cluster-split-rows: no, an element has no loop that threads could share
//=   two-stage-reduction: no, it has no loop that threads could share
//=   privatised-histogram: no, updated elements are also read
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, outputs do not lie together
//=   coalesced-mapping: neighbouring threads along 'i'
//= weighted:
//=   tf32-three-products-mma: no, outputs have fewer than two axes
//=   half-three-products-mma: no, outputs have fewer than two axes
//=   fp64-mma: no, outputs have fewer than two axes
//=   register-tile: no, outputs have fewer than two axes
//=   row-in-registers: no, an element has no loop that threads could share
//=   cluster-split-rows: no, an element has no loop that threads could share
//=   two-stage-reduction: no, it has no loop that threads could share
//=   privatised-histogram: a copy in every block's shared memory, added up at its end
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, elements have fewer than two axes
//=   window-in-registers: no, outputs do not lie together
//=   coalesced-mapping: neighbouring threads along 'i'
//= exclusive:
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
//= recurrence:
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
//= planes:
//=   tf32-three-products-mma: no, an output is no sum
//=   half-three-products-mma: no, an output is no sum
//=   fp64-mma: no, an output is no sum
//=   register-tile: no, an output is no sum
//=   row-in-registers: no, an element has no loop that threads could share
//=   cluster-split-rows: no, an element has no loop that threads could share
//=   two-stage-reduction: no, it has no loop that threads could share
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: tiles through shared memory
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'j', wide accesses
//= flip:
//=   tf32-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   half-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   fp64-mma: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   register-tile: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   row-in-registers: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   cluster-split-rows: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   two-stage-reduction: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   privatised-histogram: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   scan-rows-with-carry: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   transpose-through-shared: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   window-in-registers: no, threads do not work apart from each other: iterations read elements of 'x' that others write
//=   coalesced-mapping: no, threads do not work apart from each other: iterations read elements of 'x' that others write
