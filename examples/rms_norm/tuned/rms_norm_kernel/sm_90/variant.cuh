// cupilot variant of rms_norm_kernel for sm_90 (record 3a6f6dc6): a team of lanes a row, vector accesses, the row kept in registers
constexpr int kTeam = 256;  // knob: 32 128 256 512 1024
constexpr int kWidth = 4;  // knob: 2 4 8
constexpr int kStage = 4;  // knob: 1 2 4 8

constexpr int kThreads = 256;
constexpr int kRows = kTeam == 32 ? kThreads / 32 : 1;  // rows a block works on

template <class T, int kItems>
struct alignas(sizeof(T) * kItems < 16 ? sizeof(T) * kItems : 16) Vector {
  T item[kItems];
};

// Combines the values of a row's lanes; every lane gets the result.
template <class T>
__device__ __forceinline__ T team_sum(T value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const T other = __shfl_xor_sync(0xffffffffu, value, step);
    value = value + other;
  }
  if (kTeam > 32) {
    __shared__ T parts[kTeam / 32];
    __syncthreads();  // the last use of parts is over
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
#pragma unroll
    for (int warp = 1; warp < kTeam / 32; ++warp) {
      const T other = parts[warp];
      value = value + other;
    }
  }
  return value;
}

template <int kVector, int kHeld>
__global__ void __launch_bounds__(kTeam * kRows) rms_norm_kernel_rows(const float *x, const float *w, float *y, int rows, int cols, unsigned row_count) {
  const int lane = threadIdx.x % kTeam;
  const int row = blockIdx.x * kRows + threadIdx.x / kTeam;
  if (row >= row_count) return;
  float sum = 0.0f;
  // The row stays in registers; all of it is under way before the first use.
  Vector<float, kVector> x_row[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const int first = (k * kTeam + lane) * kVector;
    if (first < cols) {
      x_row[k] = reinterpret_cast<const Vector<float, kVector> &>(x[row * cols + first]);
    }
  }
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const int first = (k * kTeam + lane) * kVector;
    if (first < cols) {
#pragma unroll
      for (int e = 0; e < kVector; ++e) {
        float v = x_row[k].item[e];
        sum += v * v;
      }
    }
  }
  sum = team_sum(sum);
  float scale = rsqrtf(sum / cols + 1e-6f);
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const int first = (k * kTeam + lane) * kVector;
    if (first < cols) {
      const Vector<float, kVector> w_part = reinterpret_cast<const Vector<float, kVector> &>(w[first]);
      Vector<float, kVector> y_part;
#pragma unroll
      for (int e = 0; e < kVector; ++e) {
        y_part.item[e] = x_row[k].item[e] * scale * w_part.item[e];
      }
      reinterpret_cast<Vector<float, kVector> &>(y[row * cols + first]) = y_part;
    }
  }
}

bool launch(const cupilot::Launch &l, const float *x, const float *w, float *y, int rows, int cols) {
  const long long threads = 1ll * l.grid.x * l.block.x;
  if (1ull * l.grid.y * l.grid.z * l.block.y * l.block.z != 1) return false;
  const long long row_count = rows;
  if (row_count <= 0 || row_count > 0x7fffffff || row_count > threads) return false;
  if (y != x && !cupilot::Launch::disjoint(y, (row_count * cols) * sizeof(*y), x, (row_count * cols) * sizeof(*x))) return false;
  if (!cupilot::Launch::disjoint(y, (row_count * cols) * sizeof(*y), w, cols * sizeof(*w))) return false;
  const unsigned blocks = static_cast<unsigned>((row_count + kRows - 1) / kRows);
  if (cols > kTeam * kWidth * kStage) return false;  // too long to hold
  const bool wide = cols % kWidth == 0 &&
      l.aligned(alignof(Vector<float, kWidth>), x) &&
      l.aligned(alignof(Vector<float, kWidth>), w) &&
      l.aligned(alignof(Vector<float, kWidth>), y);
  if (wide)
    rms_norm_kernel_rows<kWidth, kStage><<<blocks, kTeam * kRows, 0, l.stream>>>(x, w, y, rows, cols, static_cast<unsigned>(row_count));
  else
    rms_norm_kernel_rows<1, kStage * kWidth><<<blocks, kTeam * kRows, 0, l.stream>>>(x, w, y, rows, cols, static_cast<unsigned>(row_count));
  return true;
}
