// SPDX-License-Identifier: Apache-2.0
// B7: relative to the largest element, whose sign and NaN are lost by fmaxf: a NaN elsewhere is kept, an
// infinity makes all of it NaN, where the original has zeros.
// caught: correct wrong "output 'y'"
__global__ void normed(const float *x, float *y, int n) {
  __shared__ float parts[256];
  float top = 0;
  for (int i = threadIdx.x; i < n; i += 256) top = fmaxf(top, fabsf(x[i]));
  parts[threadIdx.x] = top;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  top = parts[0];
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += (x[i] / top) * (x[i] / top);
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  const float norm = top * sqrtf(parts[0]);
  for (int i = threadIdx.x; i < n; i += 256) y[i] = x[i] / norm;
}
bool launch(const cupilot::Launch &l, const float *x, float *y, int n) {
  normed<<<1, 256, 0, l.stream>>>(x, y, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
