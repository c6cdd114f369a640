// SPDX-License-Identifier: Apache-2.0
// Vector loads into a padded tile where rows are whole vectors; else this variant declines.
__global__ void tiles(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][33];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  const int y = threadIdx.x / 8, x = threadIdx.x % 8 * 4;
  if (left + x < width && top + y < height) {
    const float4 v = __ldg((const float4 *)(in + (size_t)(top + y) * width + left + x));
    tile[y][x] = v.x, tile[y][x + 1] = v.y, tile[y][x + 2] = v.z, tile[y][x + 3] = v.w;
  }
  __syncthreads();
  const int row = threadIdx.x / 8;
  for (int i = 0; i < 4; ++i) {
    const int c = threadIdx.x % 8 + 8 * i;
    if (left + row < width && top + c < height) out[(size_t)(left + row) * height + top + c] = tile[c][row];
  }
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  if (width % 4 || !l.aligned(16, in)) return false;
  tiles<<<dim3((width + 31) / 32, (height + 31) / 32), 256, 0, l.stream>>>(in, out, width, height);
  return true;
}
