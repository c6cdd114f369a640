// SPDX-License-Identifier: Apache-2.0
// Moves the elements as whole numbers: every bit stays what it was, also of NaN.
__global__ void as_integers(const unsigned *in, unsigned *out, int width, int height) {
  __shared__ unsigned tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * width + x];
  __syncthreads();
  const int column = blockIdx.x * 16 + threadIdx.y, row = blockIdx.y * 16 + threadIdx.x;
  if (column < width && row < height) out[(size_t)column * height + row] = tile[threadIdx.x][threadIdx.y];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  as_integers<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(
      (const unsigned *)in, (unsigned *)out, width, height);
  return true;
}
