// KERNEL: scaled
// SYMBOL: _Z6scaledIfLi3EEvPKT_PS0_i
// BLOCK: 256
// ACCEPT: wide-access,block-size
// RUN: kWidth=2
// HAS: using T = float;
// HAS: constexpr int N = static_cast<int>(3);
// ACCEPT: block-size
template <class T, int N>
__global__ void scaled(const T *x, T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    T v = x[i];
    for (int k = 0; k < N; ++k) v = v * T(0.5);
    y[i] = v;
  }
}
template __global__ void scaled<float, 3>(const float *, float *, int);
template __global__ void scaled<double, 2>(const double *, double *, int);
#ifdef CUPILOT_EMULATED
void check() {
  const int n = 1003;
  const auto x = emulated::numbers<float>(n, 1);
  std::vector<float> want(n), got(n);
  emulated::launch(dim3(4), dim3(256), [&] { scaled<float, 3>(x.data(), want.data(), n); });
  emulated::expect(cupilot_variant::launch(cupilot::Launch(dim3(4), dim3(256), 0, 0), x.data(), got.data(), n), "refused");
  emulated::compare(want, got);
}
#endif
