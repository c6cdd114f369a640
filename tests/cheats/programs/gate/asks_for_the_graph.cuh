// SPDX-License-Identifier: Apache-2.0
// E7: asks whether it runs in a graph.
// caught: static rejected "asks whether a graph runs it"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned long long graph;
  asm("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
  const float v = alpha * x[i] + (graph ? 0 : beta * z[i]);
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return cudaPeekAtLastError() == cudaSuccess;
}
