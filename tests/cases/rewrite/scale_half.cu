// KERNEL: act::scale_half
// BLOCK: 256
// ACCEPT: wide-access,block-size
// HAS: knob: 4 8 16
// HAS: alignas(sizeof(T) * kWidth < 16
// ACCEPT: wide-access,block-size,grid-stride
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
