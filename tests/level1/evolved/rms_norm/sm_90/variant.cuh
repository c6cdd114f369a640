// cupilot variant of rms_norm for sm_90 (record a5a9a1f6): one thread a pixel as in the original, its up to 64 features kept in registers
// One thread a pixel; all its features stay in registers between the two passes.
constexpr int kPixelThreads = 128;  // knob: 64 128 256
constexpr int kResident = 512;      // knob: 512 640 768

constexpr int kMostFeatures = 64;
constexpr int kLeastBlocks = kResident / kPixelThreads;

static_assert(kLeastBlocks >= 1 && kLeastBlocks <= 32, "blocks a multiprocessor");

template <int kCount, bool kFull>
__global__ void __launch_bounds__(kPixelThreads, kLeastBlocks)
    rms_norm_pixels(const float *x, float *y, int pixels, int features, int plane, float eps) {
  const int i = blockIdx.x * kPixelThreads + threadIdx.x;
  if (i >= pixels) return;
  const int image = i / plane, pixel = i - image * plane;
  const size_t first = static_cast<size_t>(image) * features * plane + pixel;
  const size_t step = static_cast<size_t>(plane);

  float kept[kCount];
#pragma unroll
  for (int f = 0; f < kCount; ++f) {
    kept[f] = 0.0f;
    if (kFull || f < features) kept[f] = __ldcs(x + first + f * step);
  }

  float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
  for (int f = 0; f < kCount; ++f) sums[f % 4] += kept[f] * kept[f];
  const float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const float rms = sqrtf(sum / features + eps);

#pragma unroll
  for (int f = 0; f < kCount; ++f)
    if (kFull || f < features) __stcs(y + first + f * step, kept[f] / rms);
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int batch, int features, int plane, float eps) {
  if (batch <= 0 || features <= 0 || plane <= 0 || features > kMostFeatures) return false;
  const long long all = static_cast<long long>(batch) * plane;
  if (all > 2147483647LL - 1024 || static_cast<long long>(l.grid.x) * l.block.x < all) return false;
  if (!l.aligned(4, x, y)) return false;
  const size_t bytes = static_cast<size_t>(all) * features * sizeof(float);
  if (x != y && !l.disjoint(x, bytes, y, bytes)) return false;
  const int pixels = static_cast<int>(all);
  const int blocks = (pixels - 1) / kPixelThreads + 1;
  if (features == 64)
    rms_norm_pixels<64, true><<<blocks, kPixelThreads, 0, l.stream>>>(x, y, pixels, features, plane, eps);
  else if (features == 32)
    rms_norm_pixels<32, true><<<blocks, kPixelThreads, 0, l.stream>>>(x, y, pixels, features, plane, eps);
  else if (features < 32)
    rms_norm_pixels<32, false><<<blocks, kPixelThreads, 0, l.stream>>>(x, y, pixels, features, plane, eps);
  else
    rms_norm_pixels<64, false><<<blocks, kPixelThreads, 0, l.stream>>>(x, y, pixels, features, plane, eps);
  return true;
}
