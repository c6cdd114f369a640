// SPDX-License-Identifier: Apache-2.0
// E15: may begin while the kernel before it still writes its inputs, and does not wait for that.
// caught: correct rejected "programmatic"
__global__ void early(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  if (n <= 0) return true;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((n + 255) / 256), config.blockDim = dim3(256), config.stream = l.stream;
  config.attrs = &attribute, config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, early, x, z, y, alpha, beta, n) == cudaSuccess;
}
