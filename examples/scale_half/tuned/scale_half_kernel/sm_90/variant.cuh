// cupilot variant of scale_half_kernel for sm_90 (record 2cf4131d): vectors of items with one load or store each
constexpr int kWidth = 8;  // knob: 4 8 16

constexpr int kThreads = 256;

// As many items as one access moves; 16 bytes is the most a single one can.
template <class T>
struct alignas(sizeof(T) * kWidth < 16 ? sizeof(T) * kWidth : 16) Vector {
  T item[kWidth];
};

// One item of the original.
__device__ __forceinline__ void scale_half_kernel_item(int i, const __half &x_i, __half &y_i, float a, float b) {
  __half v = __hmul_rn(x_i, __float2half(a));
  v = __hadd_rn(v, __float2half(b));
  y_i = __hmax(v, __float2half(0.0f));
}

__global__ void __launch_bounds__(kThreads) scale_half_kernel_wide(const __half *x, __half *y, float a, float b, int n, unsigned items) {
  const unsigned vectors = items / kWidth;
  const unsigned v2 = blockIdx.x * kThreads + threadIdx.x;
  Vector<__half> x_held;
  Vector<__half> y_held;
  if (v2 < vectors) {
    x_held = reinterpret_cast<const Vector<__half> *>(x)[v2];
#pragma unroll
    for (int e = 0; e < kWidth; ++e) scale_half_kernel_item(v2 * kWidth + e, x_held.item[e], y_held.item[e], a, b);
    reinterpret_cast<Vector<__half> *>(y)[v2] = y_held;
  }
  // The last items % kWidth items, one a thread.
  const unsigned tail = vectors * kWidth + blockIdx.x * kThreads + threadIdx.x;
  if (tail < items) scale_half_kernel_item(tail, x[tail], y[tail], a, b);
}

bool launch(const cupilot::Launch &l, const __half *x, __half *y, float a, float b, int n) {
  const long long threads = 1ll * l.grid.x * l.block.x;
  if (1ull * l.grid.y * l.grid.z * l.block.y * l.block.z != 1) return false;
  const long long items = n;
  if (items <= 0 || items > 0x7fffffff || items > threads) return false;
  if (!l.aligned(alignof(Vector<__half>), x)) return false;
  if (!l.aligned(alignof(Vector<__half>), y)) return false;
  if (y != x && !cupilot::Launch::disjoint(y, items * sizeof(*y), x, items * sizeof(*x))) return false;
  const unsigned blocks = static_cast<unsigned>(items / (kThreads * kWidth) + 1);
  scale_half_kernel_wide<<<blocks, kThreads, 0, l.stream>>>(x, y, a, b, n, static_cast<unsigned>(items));
  return true;
}
