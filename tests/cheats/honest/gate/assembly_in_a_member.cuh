// SPDX-License-Identifier: Apache-2.0
// Device assembly in the member function of a structure.
struct Gate {
  float alpha, beta;
  __device__ float operator()(float x, float z) const {
    float v = alpha * x;
    asm("fma.rn.f32 %0, %1, %2, %0;" : "+f"(v) : "f"(beta), "f"(z));
    return v < 0 ? 0 : v;
  }
  __device__ static unsigned lane() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
};
__global__ void gated(const float *x, const float *z, float *y, float alpha, float beta, int n) {
  const Gate gate{alpha, beta};
  const int i = blockIdx.x * 256 + threadIdx.x / 32 * 32 + Gate::lane();
  if (i < n) y[i] = gate(x[i], z[i]);
}
bool launch(const cupilot::Launch &l, const float *x, const float *z, float *y, float alpha, float beta,
            int n) {
  gated<<<(n + 255) / 256, 256, 0, l.stream>>>(x, z, y, alpha, beta, n);
  return true;
}
