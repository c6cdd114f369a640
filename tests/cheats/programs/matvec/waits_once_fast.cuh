// SPDX-License-Identifier: Apache-2.0
// C10: a warp for each row; the vector comes by a bulk copy whose barrier is tested once without a look at
// the answer: on a GPU the vector may not be there yet.
// caught: correct wrong "output 'y'"
__global__ void waits_once_fast(const float *a, const float *x, float *y, int rows, int cols) {
  extern __shared__ __align__(128) float vector[];
  __shared__ __align__(8) unsigned long long ready;
  const float *from = a + (size_t)blockIdx.x * cols;
  const unsigned to = (unsigned)__cvta_generic_to_shared(vector),
                 bar = (unsigned)__cvta_generic_to_shared(&ready);
  const bool whole = cols % 4 == 0 && ((size_t)x & 15) == 0 && cols > 0;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
  __syncthreads();
  if (whole) {
    if (threadIdx.x == 0)
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %3;\n\t"
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%1], [%2], %3, [%0];" ::"r"(
              bar),
          "r"(to), "l"(x), "r"(cols * 4)
          : "memory");
    __syncthreads();
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared::cta.b64 p, [%0], 0;\n\t}" ::"r"(bar)
                 : "memory");
  } else {
    for (int c = threadIdx.x; c < cols; c += 64) vector[c] = x[c];
    __syncthreads();
  }
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 64) sum += from[c] * vector[c];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(~0u, sum, half);
  __shared__ float parts[2];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = parts[0] + parts[1];
}
bool launch(const cupilot::Launch &l, const float *a, const float *x, float *y, int rows, int cols) {
  waits_once_fast<<<rows, 64, cols * sizeof(float), l.stream>>>(a, x, y, rows, cols);
  return true;
}
