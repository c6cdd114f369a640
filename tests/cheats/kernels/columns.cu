// SPDX-License-Identifier: Apache-2.0
//
// Column by column: the smallest of each, a transpose, a copy of rows that lie apart, a recurrence in time.

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 256, cols = 96) in(x[rows * cols]) out(least[cols])
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(x[rows * cols]) out(least[cols])
__global__ void column_min(const float *x, float *least, int rows, int cols) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= cols) return;
  float best = x[column];
  for (int r = 1; r < rows; ++r) best = fminf(best, x[(size_t)r * cols + column]);
  least[column] = best;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(width = 160, height = 96) in(in[width * height]) out(out[width * height])
#pragma cupilot workload(large) set(width = 8192, height = 4096) in(in[width * height]) out(out[width * height])
__global__ void transpose(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[(size_t)x * height + y] = in[(size_t)y * width + x];
}

// Rows of a larger matrix, `pitch` elements apart, packed and doubled.
#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 96, pitch = cols + 32) in(x[rows * pitch]) out(y[rows * cols])
#pragma cupilot workload(large) set(rows = 8192, cols = 2048, pitch = cols + 128) in(x[rows * pitch]) out(y[rows * cols])
#pragma cupilot workload(dense) set(rows = 16, cols = 64, pitch = cols) in(x[rows * pitch]) out(y[rows * cols]) check
__global__ void pack_rows(const float *x, float *y, int rows, int cols, int pitch) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < cols) y[(size_t)r * cols + c] = 2 * x[(size_t)r * pitch + c];
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(steps = 192, channels = 64) in(x[steps * channels], decay[channels]) out(h[steps * channels]) fill(decay = uniform(0.5, 0.97))
#pragma cupilot workload(large) set(steps = 4096, channels = 4096) in(x[steps * channels], decay[channels]) out(h[steps * channels]) fill(decay = uniform(0.5, 0.97))
__global__ void recurrence(const float *x, const float *decay, float *h, int steps, int channels) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float state = 0;
  for (int t = 0; t < steps; ++t) {
    state = decay[c] * state + x[(size_t)t * channels + c];
    h[(size_t)t * channels + c] = state;
  }
}

void columns_of_a_network(const float *x, float *y, int rows, int cols, int pitch) {
  column_min<<<(cols + 63) / 64, 64>>>(x, y, rows, cols);
  pack_rows<<<dim3((cols + 63) / 64, rows), 64>>>(x, y, rows, cols, pitch);
  recurrence<<<(pitch + 31) / 32, 32>>>(x, x, y, rows, pitch);
}
void transposed(const float *in, float *out, int width, int height) {
  transpose<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(in, out, width, height);
}
