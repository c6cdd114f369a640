// SPDX-License-Identifier: Apache-2.0
// C7: uses the input as its scratch memory and puts the old values back; compared afterwards it is
// unchanged.
// on: gpu
// caught: correct wrong "read-only input"
// caught: correct crashed "read-only memory"
// caught: correct wrong "writes"
// caught: finalist wrong "stream"
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float *place = const_cast<float *>(x) + i;
  const float old = *place;
  *(volatile float *)place = alpha * old + beta * z[i];
  const float v = *(volatile float *)place;
  *(volatile float *)place = old;
  y[i] = v < 0 ? 0 : v;
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
