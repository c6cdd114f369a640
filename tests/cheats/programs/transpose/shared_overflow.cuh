// SPDX-License-Identifier: Apache-2.0
// C2: a padded tile is indexed one row too far: it reads what the next array in shared memory holds.
// caught: correct crashed "shared"
// caught: correct wrong "shared"
// caught: correct crashed "out-of-bounds"
// caught: correct crashed "outside the buffers"
__global__ void padded(const float *in, float *out, int width, int height) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) (&tile[0][0])[threadIdx.y * 17 + threadIdx.x] = in[(size_t)y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[(size_t)y * height + x] = (&tile[0][0])[threadIdx.x * 17 + threadIdx.y];
}
bool launch(const cupilot::Launch &l, const float *in, float *out, int width, int height) {
  padded<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, l.stream>>>(in, out, width, height);
  return true;
}
