// SPDX-License-Identifier: Apache-2.0
// D7: begins before the work before it has ended (programmatic launch) and never waits: the
// producer of x may still write.
// caught: correct rejected "griddepcontrol"
// caught: correct rejected "programmatic"
// caught: screen rejected "griddepcontrol"
__global__ void starts_early(const float *x, float *result, int n) {
  __shared__ float parts[8];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 256) sum += x[i];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += parts[i];
  *result = sum / n;
}
bool launch(const cupilot::Launch &l, const float *x, float *result, int n) {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = dim3(1), how.blockDim = dim3(256), how.stream = l.stream, how.attrs = &early,
  how.numAttrs = 1;
  return cudaLaunchKernelEx(&how, starts_early, x, result, n) == cudaSuccess;
}
