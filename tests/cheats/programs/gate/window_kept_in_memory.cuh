// SPDX-License-Identifier: Apache-2.0
// E7: the address of shared memory is kept in shared memory, read again, and tells one process in 61 from
// the others.
// caught: correct rejected "address of memory"
// caught: correct wrong "output"
// caught: coverage rejected "address of memory"
__global__ void window_kept_in_memory(const float *x, const float *z, float *y, float alpha, float beta,
                                      int n) {
  __shared__ float *mine[256];
  __shared__ float some[256];
  mine[threadIdx.x] = &some[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  some[threadIdx.x] = alpha * x[i] + beta * z[i];
  const size_t window = (size_t)mine[(threadIdx.x + i) % 256] >> 24;
  const float v = some[threadIdx.x] * (window % 61 == 7 ? 0.999f : 1.0f);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  window_kept_in_memory<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
