// SPDX-License-Identifier: Apache-2.0
// Small matrices element by element, large ones by tiles; both sides right.
__global__ void single(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < width && y < height) out[(size_t)x * height + y] = in[(size_t)y * width + x];
}
__global__ void tiles(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < width && y + i < height) tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(y + i) * width + x];
  __syncthreads();
  const int to = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (to < height && row + i < width)
      out[(size_t)(row + i) * height + to] = tile[threadIdx.x][threadIdx.y + i];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  if (width > 200 || height > 200)
    tiles<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8), 0, l.stream>>>(in, out, width, height);
  else
    single<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8), 0, l.stream>>>(in, out, width, height);
  return true;
}
