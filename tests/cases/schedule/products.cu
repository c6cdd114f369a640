// SPDX-License-Identifier: Apache-2.0
// Sums of products of two operands, in whatever layout.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64, beta = 0.5f) in(a[m * k], b[k * n]) inout(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void transposed(const float *a, const float *b, float *c, int m, int n, int k, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float acc = 0;
  for (int i = 0; i < k; ++i) acc += a[i * m + row] * b[col * k + i];
  c[row * n + col] = acc + beta * c[row * n + col];
}

// A window at the border of a picture: what lies outside counts as zero.
#pragma cupilot optimize
#pragma cupilot workload(a) set(c = 3, h = 20, w = 20, f = 8, r = 3) in(x[c * h * w], g[f * c * r * r]) out(y[f * h * w]) launch(dim3(2, 2, f), dim3(16, 16))
__global__ void padded(const float *x, const float *g, float *y, int c, int h, int w, int f, int r) {
  int q = blockIdx.x * blockDim.x + threadIdx.x, p = blockIdx.y * blockDim.y + threadIdx.y, o = blockIdx.z;
  if (q >= w || p >= h) return;
  float acc = 0;
  for (int i = 0; i < c; i++)
    for (int s = 0; s < r; s++)
      for (int t = 0; t < r; t++) {
        int yy = p + s - r / 2, xx = q + t - r / 2;
        if (yy >= 0 && yy < h && xx >= 0 && xx < w) acc += x[(i * h + yy) * w + xx] * g[((o * c + i) * r + s) * r + t];
      }
  y[(o * h + p) * w + q] = acc;
}

// How long the sum is differs between outputs.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 64) in(a[n * n], b[n * n]) out(c[n * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void lower(const float *a, const float *b, float *c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float acc = 0;
  for (int i = 0; i <= row; ++i) acc += a[row * n + i] * b[i * n + col];
  c[row * n + col] = acc;
}

// An operand is also the output: others would read what is already written.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 16) in(b[n * n]) inout(a[n * n]) launch(1, dim3(16, 16))
__global__ void in_place(float *a, const float *b, int n) {
  int row = threadIdx.y, col = threadIdx.x;
  float acc = 0;
  for (int i = 0; i < n; ++i) acc += a[row * n + i] * b[i * n + col];
  a[row * n + col] = acc;
}

// No product: differences.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 64) in(a[m * k], b[k * n]) out(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void distances(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float acc = 0;
  for (int i = 0; i < k; ++i) acc += fabsf(a[row * k + i] - b[i * n + col]);
  c[row * n + col] = acc;
}

// Every output has operands of its own: nothing to share.
#pragma cupilot optimize
#pragma cupilot workload(a) set(m = 64, n = 64, k = 8) in(a[m * n * k], b[m * n * k]) out(c[m * n]) launch(dim3(4, 4), dim3(16, 16))
__global__ void dots(const float *a, const float *b, float *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float acc = 0;
  for (int i = 0; i < k; ++i) acc += a[(row * n + col) * k + i] * b[(row * n + col) * k + i];
  c[row * n + col] = acc;
}
//= transposed:
//=   tf32-three-products-mma: each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32
//=   half-three-products-mma: each factor in two halves of 11 bits, three products of them on tensor cores, as exact as fp32
//=   fp64-mma: no, its sums are not double
//=   register-tile: tiles of both operands in shared memory, a tile of outputs in each thread's registers
//=   row-in-registers: a team of threads a row, wide accesses
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, inputs lie together along the same axis as outputs
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'col'
//= padded:
//=   tf32-three-products-mma: each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32
//=   half-three-products-mma: no, its factors are no matrices
//=   fp64-mma: no, its sums are not double
//=   register-tile: tiles of both operands in shared memory, a tile of outputs in each thread's registers
//=   row-in-registers: a team of threads a row
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, inputs lie together along the same axis as outputs
//=   window-in-registers: windows in registers, several along 'p'
//=   coalesced-mapping: neighbouring threads along 'q'
//= lower:
//=   tf32-three-products-mma: each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32
//=   half-three-products-mma: each factor in two halves of 11 bits, three products of them on tensor cores, as exact as fp32
//=   fp64-mma: no, its sums are not double
//=   register-tile: tiles of both operands in shared memory, a tile of outputs in each thread's registers
//=   row-in-registers: a team of threads a row
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, inputs lie together along the same axis as outputs
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'col'
//= in_place:
//=   tf32-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   half-three-products-mma: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   fp64-mma: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   register-tile: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   row-in-registers: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   cluster-split-rows: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   two-stage-reduction: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   privatised-histogram: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   scan-rows-with-carry: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   transpose-through-shared: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   window-in-registers: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//=   coalesced-mapping: no, threads do not work apart from each other: iterations read elements of 'a' that others write
//= distances:
//=   tf32-three-products-mma: no, what is summed is no product of two operands
//=   half-three-products-mma: no, what is summed is no product of two operands
//=   fp64-mma: no, what is summed is no product of two operands
//=   register-tile: no, what is summed is no product of two operands
//=   row-in-registers: a team of threads a row, wide accesses
//=   cluster-split-rows: no, no row is read twice along its elements
//=   two-stage-reduction: no, a team of threads for each row is enough
//=   privatised-histogram: no, the updates are not made in one loop
//=   scan-rows-with-carry: no, a row does more than run over its elements
//=   transpose-through-shared: no, inputs lie together along the same axis as outputs
//=   window-in-registers: no, neighbouring outputs read nothing in common
//=   coalesced-mapping: neighbouring threads along 'col'
//= dots:
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
//=   window-in-registers: windows unrolled, without tests inside of the array
//=   coalesced-mapping: neighbouring threads along 'row_col'
