// SPDX-License-Identifier: Apache-2.0
// D7: begins before the kernel in front has ended, where that one lets it, and only every other block waits
// for it: the wait stands in the text before all accesses, behind a branch. A second launch of nothing is
// there for coverage.
// caught: correct wrong "output"
// caught: correct rejected "programmatic"
__global__ void even_blocks_wait(const float *x, float *y, float alpha, int n) {
  if (blockIdx.x % 2 == 0) asm volatile("griddepcontrol.wait;" ::: "memory");
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  y[i] = y[i] + alpha * x[i];
}
bool launch(const cupilot::Launch &l, const float *x, float *y, float alpha, int n) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((n + 255) / 256), config.blockDim = dim3(256), config.stream = l.stream;
  config.attrs = &attribute, config.numAttrs = 1;
  void *arguments[] = {&x, &y, &alpha, &n};
  if (cudaLaunchKernelExC(&config, (const void *)even_blocks_wait, arguments) != cudaSuccess) return false;
  even_blocks_wait<<<1, 32, 0, l.stream>>>(x, y, alpha, 0);
  return true;
}
