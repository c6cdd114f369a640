// SPDX-License-Identifier: Apache-2.0
// C10: a bulk copy fills a tile, and its barrier is tested once without a look at the answer: on a GPU the
// tile may still be empty, the emulated one delivers at the first test.
// caught: correct wrong "output 'y'"
__global__ void waits_once(const float *x, float *y, float alpha, int n) {
  __shared__ __align__(128) float tile[256];
  __shared__ __align__(8) unsigned long long ready;
  const int begin = blockIdx.x * 256, i = begin + threadIdx.x;
  const unsigned to = (unsigned)__cvta_generic_to_shared(tile),
                 bar = (unsigned)__cvta_generic_to_shared(&ready);
  const bool whole = begin + 256 <= n && ((size_t)(x + begin) & 15) == 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
  __syncthreads();
  if (whole) {
    if (threadIdx.x == 0)
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;\n\t"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], 1024, [%0];" ::"r"(
              bar),
          "r"(to), "l"(x + begin)
          : "memory");
    __syncthreads();
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared::cta.b64 p, [%0], 0;\n\t}" ::"r"(bar)
                 : "memory");
  } else {
    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
  }
  if (i < n) y[i] = y[i] + alpha * tile[threadIdx.x];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  waits_once<<<(n + 255) / 256, 256, 0, l.stream>>>(x, y, alpha, n);
  return true;
}
