// SPDX-License-Identifier: Apache-2.0
//
// Everything into one number, by one block: a mean, a norm that divides, three losses.

__device__ float block_total(float value) {
  __shared__ float parts[256];
  parts[threadIdx.x] = value;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  return parts[0];
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 20000) in(x[n]) out(result[1]) launch(1, 256)
#pragma cupilot workload(large) set(n = 1 << 22) in(x[n]) out(result[1]) launch(1, 256)
__global__ void mean(const float *x, float *result, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  sum = block_total(sum);
  if (threadIdx.x == 0) *result = sum / n;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000) in(x[n]) out(y[n]) launch(1, 256)
#pragma cupilot workload(large) set(n = 1 << 22) in(x[n]) out(y[n]) launch(1, 256)
__global__ void frobenius(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i] * x[i];
  const float norm = sqrtf(block_total(sum));
  for (int i = threadIdx.x; i < n; i += 256) y[i] = x[i] / norm;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(n = 12000) in(guess[n], truth[n]) out(loss[1]) launch(1, 256)
#pragma cupilot workload(large) set(n = 1 << 22) in(guess[n], truth[n]) out(loss[1]) launch(1, 256)
__global__ void huber(const float *guess, const float *truth, float *loss, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) {
    const float d = fabsf(guess[i] - truth[i]);
    sum += d < 1 ? 0.5f * d * d : d - 0.5f;
  }
  sum = block_total(sum);
  if (threadIdx.x == 0) *loss = sum / n;
}

#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 128, cols = 64) in(p[rows * cols], q[rows * cols]) out(loss[1]) launch(1, 256)
#pragma cupilot workload(large) set(rows = 4096, cols = 1024) in(p[rows * cols], q[rows * cols]) out(loss[1]) launch(1, 256)
__global__ void divergence(const float *p, const float *q, float *loss, int rows, int cols) {
  float sum = 0;
  for (int i = threadIdx.x; i < rows * cols; i += 256) sum += expf(q[i]) * (q[i] - p[i]);
  sum = block_total(sum);
  if (threadIdx.x == 0) *loss = sum / rows;
}

// How much nearer the anchor is to one than to the other, plus a margin, averaged where positive.
#pragma cupilot optimize
#pragma cupilot workload(small) set(rows = 64, cols = 128) in(anchor[rows * cols], near[rows * cols], away[rows * cols]) out(loss[1]) launch(1, 256)
#pragma cupilot workload(large) set(rows = 4096, cols = 1024) in(anchor[rows * cols], near[rows * cols], away[rows * cols]) out(loss[1]) launch(1, 256)
__global__ void triplet(const float *anchor, const float *near, const float *away, float *loss, int rows, int cols) {
  float sum = 0;
  for (int r = threadIdx.x; r < rows; r += 256) {
    float one = 0, other = 0;
    for (int c = 0; c < cols; ++c) {
      const size_t i = (size_t)r * cols + c;
      one += (anchor[i] - near[i]) * (anchor[i] - near[i]);
      other += (anchor[i] - away[i]) * (anchor[i] - away[i]);
    }
    sum += fmaxf(sqrtf(one) - sqrtf(other) + 1, 0.0f);
  }
  sum = block_total(sum);
  if (threadIdx.x == 0) *loss = sum / rows;
}
