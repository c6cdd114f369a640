// SPDX-License-Identifier: Apache-2.0
// Through a padded tile in shared memory.
__global__ void tiles(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  tiles<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8), 0, l.stream>>>(in, out, width, height);
  return true;
}
