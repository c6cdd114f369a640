// SPDX-License-Identifier: Apache-2.0
//
// Buffers that programs fill with zeros first: sums that are added to, and tickets that are zero again at the end.

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 96, cols = 320) in(x[rows * cols]) inout(sums[cols]) fill(sums = zeros)
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(x[rows * cols]) inout(sums[cols]) fill(sums = zeros)
__global__ void add_rows(const float *x, float *sums, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += x[(size_t)r * cols + c];
  sums[c] += sum;
}

// The block that comes last adds up what the others have left, the two halves of x apart.
#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000) in(x[n]) inout(tickets[2]) scratch(parts[2 * 64]) out(both[2]) fill(tickets = zeros) launch(dim3(64, 2), 64)
#pragma cupilot workload(large) set(n = 1 << 24) in(x[n]) inout(tickets[2]) scratch(parts[2 * 64]) out(both[2]) fill(tickets = zeros) launch(dim3(64, 2), 64)
__global__ void halves(const float *x, unsigned *tickets, float *parts, float *both, int n) {
  __shared__ float sums[64];
  __shared__ bool last;
  const int half = blockIdx.y, begin = half ? n / 2 : 0, end = half ? n : n / 2;
  float sum = 0;
  for (int i = begin + blockIdx.x * 64 + threadIdx.x; i < end; i += 64 * 64) sum += x[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int t = 0; t < 64; ++t) all += sums[t];
    parts[half * 64 + blockIdx.x] = all;
    __threadfence();
    last = atomicAdd(&tickets[half], 1u) == 63;
    if (last) {
      float whole = 0;
      for (int b = 0; b < 64; ++b) whole += __ldcg(&parts[half * 64 + b]);
      both[half] = whole;
      tickets[half] = 0;
    }
  }
}

void accumulators(const float *x, float *sums, int rows, int cols) {
  add_rows<<<(cols + 63) / 64, 64>>>(x, sums, rows, cols);
}
