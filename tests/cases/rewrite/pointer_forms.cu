// KERNEL: pointer_forms
// BLOCK: 256
// ACCEPT: wide-access,block-size
// RUN: kWidth=4
// HAS: y_i = fmaxf(x_i, *limit) + w_i;
__global__ void pointer_forms(const float *x, const float *w, const float *__restrict__ limit, float *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) *(y + i) = fmaxf(__ldg(&x[i]), *limit) + *(w + i);
}
#ifdef CUPILOT_EMULATED
void check() {
  const int n = 1003;
  const auto x = emulated::numbers<float>(n, 1), w = emulated::numbers<float>(n, 2), limit = emulated::numbers<float>(1, 3);
  std::vector<float> want(n), got(n);
  for (int i = 0; i < n; ++i) want[i] = fmaxf(x[i], limit[0]) + w[i];
  emulated::expect(cupilot_variant::launch(cupilot::Launch(dim3(4), dim3(256), 0, 0), x.data(), w.data(), limit.data(), got.data(), n), "refused");
  emulated::compare(want, got);
}
#endif
