// SPDX-License-Identifier: Apache-2.0
// A tile in shared memory whose columns are exchanged by XOR in place of padding.
__global__ void tiles(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][32];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32, tx = threadIdx.x;
  for (int ty = threadIdx.y; ty < 32; ty += 8)
    if (left + tx < width && top + ty < height)
      tile[ty][tx ^ ty] = in[(size_t)(top + ty) * width + left + tx];
  __syncthreads();
  for (int ty = threadIdx.y; ty < 32; ty += 8)
    if (left + ty < width && top + tx < height)
      out[(size_t)(left + ty) * height + top + tx] = tile[tx][ty ^ tx];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  tiles<<<dim3((width + 31) / 32, (height + 31) / 32), dim3(32, 8), 0, l.stream>>>(in, out, width, height);
  return true;
}
