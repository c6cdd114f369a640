// SPDX-License-Identifier: Apache-2.0
// E7: within a graph the kernel is a little wrong; what is checked runs in none.
// caught: static rejected "current_graph"
// caught: screen rejected "current_graph"
__global__ void asks_for_graphs(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned long long graph;
  asm volatile("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
  const float wrong = graph ? 0.001f : 0;
  const float v = (alpha + wrong) * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  asks_for_graphs<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
