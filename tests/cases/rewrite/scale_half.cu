// KERNEL: act::scale_half
// BLOCK: 256
// ACCEPT: wide-access,block-size
// RUN: kWidth=8
// RUN: kWidth=4
// HAS: knob: 4 8 16
// HAS: alignas(sizeof(T) * kWidth < 16
// ACCEPT: wide-access,block-size,grid-stride
// RUN: kItems=4,kThreads=64
// HAS: Vector<__half> x_held[kItems];
// LACKS: y_held[k] = reinterpret_cast
#include <cuda_fp16.h>
namespace act {
__global__ void scale_half(const __half *x, __half *y, __half a, __half b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half zero = __float2half(0.f);
  __half v = x[i];
  v = __hmul(v, a);
  v = __hadd(v, b);
  v = __hmax(v, zero);
  y[i] = v;
}
}  // namespace act
#ifdef CUPILOT_EMULATED
void check() {
  for (const int n : {1, 7, 1000, 5003}) {
    const auto x = emulated::numbers<__half>(n, 1);
    std::vector<__half> want(n), got(n);
    const __half a = __float2half(1.5f), b = __float2half(-0.25f);
    const dim3 grid((n + 255) / 256), block(256);
    emulated::launch(grid, block, [&] { act::scale_half(x.data(), want.data(), a, b, n); });
    emulated::expect(act::cupilot_variant::launch(cupilot::Launch(grid, block, 0, 0), x.data(), got.data(), a, b, n), "refused");
    emulated::compare(want, got);
  }
}
#endif
