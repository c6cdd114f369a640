// cupilot variant of fill for sm_90
constexpr int kThreads = 512;  // knob: 256 512

__global__ void __launch_bounds__(kThreads) fill_wide(float *x, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) x[i] = 1;
}

bool launch(const cupilot::Launch &l, float *x, int n) {
  fill_wide<<<(n + kThreads - 1) / kThreads, kThreads, 0, l.stream>>>(x, n);
  return true;
}
