// cupilot variant of sum_over_rows for sm_90 (record 16a811a5): Aligned float4 walk over super-rows of kPhases rows; the row phases are added by a second kernel
// Super-rows of kPhases rows are a whole number of float4: aligned vector loads, the phases are added at the end.
constexpr int kPhases = 8;   // knob: 4 8 16
constexpr int kUnroll = 8;   // knob: 4 8 16
constexpr int kSplit = 1;    // knob: 1 2 4
constexpr int kBlock = 256;  // knob: 128 256 512

__global__ void __launch_bounds__(kBlock)
    phase_sums(const float4 *x, float4 *sums, int super_rows, int positions) {
  const int p = blockIdx.x * kBlock + threadIdx.x;
  if (p >= positions) return;
  const int item = blockIdx.z, split = blockIdx.y, share = (super_rows + kSplit - 1) / kSplit;
  const int first = split * share, end = first + share < super_rows ? first + share : super_rows;
  const float4 *from = x + (static_cast<size_t>(item) * super_rows + first) * positions + p;
  const size_t stride = positions;

  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  int r = first;
  for (; r + kUnroll <= end; r += kUnroll) {
    float4 v[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) v[u] = __ldcs(from + u * stride);
    from += kUnroll * stride;
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      sum.x += v[u].x;
      sum.y += v[u].y;
      sum.z += v[u].z;
      sum.w += v[u].w;
    }
  }
  for (; r < end; ++r) {
    const float4 v = __ldcs(from);
    from += stride;
    sum.x += v.x;
    sum.y += v.y;
    sum.z += v.z;
    sum.w += v.w;
  }
  sums[(static_cast<size_t>(item) * kSplit + split) * positions + p] = sum;
}

__global__ void __launch_bounds__(kBlock) add_phases(const float *sums, float *y, int outputs, int cols) {
  const long long i = static_cast<long long>(blockIdx.x) * kBlock + threadIdx.x;
  if (i >= outputs) return;
  const int item = static_cast<int>(i) / cols, col = static_cast<int>(i) % cols;
  const float *from = sums + static_cast<size_t>(item) * (kSplit * kPhases) * cols + col;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kSplit * kPhases; ++k) sum += from[static_cast<size_t>(k) * cols];
  y[i] = sum;
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int batch, int rows, int cols) {
  if (batch <= 0 || batch > 65535 || rows <= 0 || rows > 1000000000 || rows % kPhases) return false;
  if (cols <= 0 || cols > 100000000 || !l.aligned(16, x)) return false;
  const long long outputs = static_cast<long long>(batch) * cols;
  if (outputs > 2147483647ll) return false;
  const size_t x_bytes = static_cast<size_t>(outputs) * rows * 4, y_bytes = static_cast<size_t>(outputs) * 4;
  if (!l.disjoint(x, x_bytes, y, y_bytes)) return false;

  float *sums = static_cast<float *>(l.scratch(y_bytes * (kSplit * kPhases)));
  if (!sums) return false;
  const int positions = kPhases / 4 * cols;
  const dim3 grid((positions + kBlock - 1) / kBlock, kSplit, batch);
  phase_sums<<<grid, kBlock, 0, l.stream>>>(reinterpret_cast<const float4 *>(x), reinterpret_cast<float4 *>(sums),
                                            rows / kPhases, positions);
  add_phases<<<static_cast<unsigned>((outputs + kBlock - 1) / kBlock), kBlock, 0, l.stream>>>(
      sums, y, static_cast<int>(outputs), cols);
  return true;
}
