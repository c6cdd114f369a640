// SPDX-License-Identifier: Apache-2.0
//
// With a workload too large for a CPU to run whole: only some of its blocks are executed there.

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 160) in(x[rows * cols], w[cols]) out(y[rows * cols])
#pragma cupilot workload(huge) set(rows = 8192, cols = 2048) in(x[rows * cols], w[cols]) out(y[rows * cols])
__global__ void scale_rows(const float *x, const float *w, float *y, int rows, int cols) {
  __shared__ float sums[1024];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    const float *from = x + (size_t)row * cols;
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += from[c] * from[c];
    sums[threadIdx.x] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < blockDim.x; ++i) sum += sums[i];
    const float scale = rsqrtf(sum / cols + 1e-6f);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) y[(size_t)row * cols + c] = from[c] * scale * w[c];
    __syncthreads();
  }
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000, alpha = 0.75f) in(x[n]) inout(y[n])
#pragma cupilot workload(huge) set(n = 1 << 24, alpha = 0.75f) in(x[n]) inout(y[n])
__global__ void blend(const float *x, float *y, float alpha, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * y[i] + (1 - alpha) * x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 16000, bins = 64) in(keys[n]) inout(counts[bins]) fill(keys = randint(0, bins))
#pragma cupilot workload(huge) set(n = 1 << 24, bins = 256) in(keys[n]) inout(counts[bins]) fill(keys = randint(0, bins))
__global__ void tally(const int *keys, unsigned *counts, int n, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] >= 0 && keys[i] < bins) atomicAdd(&counts[keys[i]], 1u);
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(m = 48, n = 40, k = 96) in(a[m * k], b[k * n]) out(c[m * n])
#pragma cupilot workload(huge) set(m = 1024, n = 1024, k = 1024) in(a[m * k], b[k * n]) out(c[m * n])
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
  c[(size_t)row * n + column] = sum;
}

void huge(const float *x, const float *w, const int *keys, float *y, unsigned *counts, int rows, int cols, int deep,
          int n, int bins) {
  scale_rows<<<rows, 128>>>(x, w, y, rows, cols);
  blend<<<(n + 255) / 256, 256>>>(x, y, 0.5f, n);
  tally<<<(n + 255) / 256, 256>>>(keys, counts, n, bins);
  product<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(x, w, y, rows, cols, deep);
}
