// SPDX-License-Identifier: Apache-2.0
// Launches of every kind; the ones the swap cannot see are marked.
#pragma cupilot optimize
#pragma cupilot workload set(n = 4) inout(y[n]) launch(1, 32)
__global__ void k(float *y, int n) {}
void take(void (*)(float *, int));
void run(float *y, int n, cudaGraph_t graph, cudaGraphNode_t node, cudaKernelNodeParams params) {
  void *args[] = {&y, &n};
  k<<<1, 32>>>(y, n);
  cudaLaunchKernel(k, 1, 32, args, 0, 0);
  cudaLaunchCooperativeKernel(k, 1, 32, args, 0, 0);
  cudaLaunchConfig_t config{};
  cudaLaunchKernelEx(&config, k, y, n);
  params.func = (void *)k;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096);
  take(k);
}
//= kernel k: k as k at 5
//=   parameters: float * y [f32] int n [i32]
//=   workload w1: n=4 inout(y[n] automatic) <<<(1, 1, 1), (32, 1, 1), 0>>>
//=   launch 9: <<<>>>
//=   launch 10: cudaLaunchKernel
//=   launch 11: cooperative not caught
//=   launch 13: cudaLaunchKernelEx
//=   launch 14: graph not caught
//=   launch 17: address not caught
//= exit code 0
