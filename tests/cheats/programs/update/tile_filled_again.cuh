// SPDX-License-Identifier: Apache-2.0
// C10: the tile is filled again while the bulk copy of the one before may still read it: there is no wait
// between them.
// caught: correct wrong "output"
// open: bulk copies out of shared memory are done at once (async_bulk.cpp says so)
__global__ void tile_filled_again(const float *x, float *y, float alpha, int n) {
  __shared__ __align__(128) float tile[256];
  for (int k = 0; k < 4; ++k) {
    const int begin = (blockIdx.x * 4 + k) * 256, i = begin + threadIdx.x;
    if (i < n) tile[threadIdx.x] = y[i] + alpha * x[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const bool whole = begin + 256 <= n && ((size_t)(y + begin) & 15) == 0;
    if (!whole) {
      if (i < n) y[i] = tile[threadIdx.x];
    } else if (threadIdx.x == 0) {
      const unsigned from = (unsigned)__cvta_generic_to_shared(tile);
      asm volatile(
          "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;" ::"l"(
              y + begin),
          "r"(from), "r"(1024)
          : "memory");
    }
    __syncthreads();
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  tile_filled_again<<<(n + 1023) / 1024, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
