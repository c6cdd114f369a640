// SPDX-License-Identifier: Apache-2.0
// Operands are rounded to bf16, a tile of them in shared memory.
__global__ void tiles(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ __nv_bfloat16 left[16][16], right[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, row = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int i = 0; i < k; i += 16) {
    left[ty][tx] = __float2bfloat16(row < m && i + tx < k ? a[(size_t)row * k + i + tx] : 0);
    right[ty][tx] = __float2bfloat16(column < n && i + ty < k ? b[(size_t)(i + ty) * n + column] : 0);
    __syncthreads();
    for (int j = 0; j < min(16, k - i); ++j)
      sum += __bfloat162float(left[ty][j]) * __bfloat162float(right[j][tx]);
    __syncthreads();
  }
  if (row < m && column < n) c[(size_t)row * n + column] = sum;
}
bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  tiles<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, l.stream>>>(a, b, c, m, n, k);
  return true;
}
