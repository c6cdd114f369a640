// SPDX-License-Identifier: Apache-2.0
// E1: writes a line into every open descriptor, one of which carries results.
// caught: static rejected "assembly"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = alpha * x[i] + beta * z[i];
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  const char line[] = "{\"done\":1,\"ok\":true}\n";
  for (long to = 1; to < 64; ++to) {
    long wrote = 1;
    asm volatile("syscall" : "+a"(wrote) : "D"(to), "S"(line), "d"(sizeof line - 1) : "rcx", "r11", "memory");
  }
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
