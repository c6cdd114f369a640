// SPDX-License-Identifier: Apache-2.0
// C10: a bulk copy reads shared memory by the asynchronous proxy; no fence orders what the threads stored
// there before it, so old bytes may be copied.
// caught: correct wrong "output"
// open: proxies are not checked: fence.proxy does nothing
__global__ void stores_before_the_fence(const float *x, float *y, float alpha, int n) {
  __shared__ __align__(128) float tile[256];
  const int begin = blockIdx.x * 256, i = begin + threadIdx.x;
  if (i < n) tile[threadIdx.x] = y[i] + alpha * x[i];
  __syncthreads();
  const bool whole = begin + 256 <= n && ((size_t)(y + begin) & 15) == 0;
  if (!whole) {
    if (i < n) y[i] = tile[threadIdx.x];
  } else if (threadIdx.x == 0) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(tile);
    asm volatile(
        "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], "
        "%2;\n\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::"l"(y + begin),
        "r"(from), "r"(1024)
        : "memory");
  }
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  stores_before_the_fence<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
