// SPDX-License-Identifier: Apache-2.0
// Narrow, middle and wide rows have instantiations of their own, with unrolled remainders.
template <int kItems>
__global__ void held(const float *x, const float *w, float *y, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float own[kItems], sum = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int c = i * 32 + threadIdx.x;
    own[i] = c < cols ? x[row + c] : 0;
    sum += own[i] * own[i];
  }
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
#pragma unroll
  for (int i = 0; i < kItems; ++i)
    if (i * 32 + threadIdx.x < cols) y[row + i * 32 + threadIdx.x] = own[i] * scale * w[i * 32 + threadIdx.x];
}
__global__ void any(const float *x, const float *w, float *y, int cols) {
  const size_t row = (size_t)blockIdx.x * cols;
  float sum = 0;
#pragma unroll 4
  for (int c = threadIdx.x; c < cols; c += 32) sum += x[row + c] * x[row + c];
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(~0u, sum, lane);
  const float scale = rsqrtf(sum / cols + 1e-6f);
#pragma unroll 4
  for (int c = threadIdx.x; c < cols; c += 32) y[row + c] = x[row + c] * scale * w[c];
}
bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  if (rows <= 0 || cols <= 0) return false;
  if (cols <= 64)
    held<2><<<rows, 32, 0, l.stream>>>(x, w, y, cols);
  else if (cols <= 256)
    held<8><<<rows, 32, 0, l.stream>>>(x, w, y, cols);
  else if (cols <= 1024)
    held<32><<<rows, 32, 0, l.stream>>>(x, w, y, cols);
  else
    any<<<rows, 32, 0, l.stream>>>(x, w, y, cols);
  return true;
}
