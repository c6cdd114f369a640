// SPDX-License-Identifier: Apache-2.0
//
// Row by row: normalisations and softmax, one thread a row.

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 160) in(x[rows * cols], w[cols]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 8192, cols = 2048) in(x[rows * cols], w[cols]) out(y[rows * cols])
__global__ void row_norm(const float *x, const float *w, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += from[c] * from[c];
  const float scale = rsqrtf(sum / cols + 1e-6f);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = from[c] * scale * w[c];
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 48, cols = 320) in(x[rows * cols]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(x[rows * cols]) out(y[rows * cols])
__global__ void softmax(const float *x, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float top = from[0];
  for (int c = 1; c < cols; ++c) top = fmaxf(top, from[c]);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += expf(from[c] - top);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = expf(from[c] - top) / sum;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 160) in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 8192, cols = 2048) in(x[rows * cols], gain[cols], shift[cols]) out(y[rows * cols])
__global__ void layer_norm(const float *x, const float *gain, const float *shift, float *y, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += from[c];
  const float mean = sum / cols;
  float squares = 0;
  for (int c = 0; c < cols; ++c) squares += (from[c] - mean) * (from[c] - mean);
  const float scale = rsqrtf(squares / cols + 1e-5f);
  for (int c = 0; c < cols; ++c) y[(size_t)row * cols + c] = (from[c] - mean) * scale * gain[c] + shift[c];
}

// The largest of a row; a NaN stays one.
#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 320) in(x[rows * cols]) out(top[rows])
#pragma cupilot workload(large) set(rows = 8192, cols = 4096) in(x[rows * cols]) out(top[rows])
__global__ void row_max(const float *x, float *top, int rows, int cols) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *from = x + (size_t)row * cols;
  float best = from[0];
  for (int c = 1; c < cols; ++c) best = (from[c] > best || from[c] != from[c]) ? from[c] : best;
  top[row] = best;
}

void rows_of_a_network(const float *x, const float *w, float *y, int rows, int cols) {
  row_norm<<<(rows + 63) / 64, 64>>>(x, w, y, rows, cols);
  softmax<<<(rows + 63) / 64, 64>>>(x, y, rows, cols);
  layer_norm<<<(rows + 63) / 64, 64>>>(x, w, w, y, rows, cols);
  row_max<<<(rows + 63) / 64, 64>>>(x, y, rows, cols);
}
