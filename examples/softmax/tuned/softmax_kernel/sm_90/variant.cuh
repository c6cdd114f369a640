// cupilot variant of softmax_kernel for sm_90 (record 83aaef40): a team of threads a row, the row in registers, wide accesses
constexpr int kTeam = 256;  // knob: 4 8 16 32 64 128 256 512 1024
constexpr int kItems = 4;  // knob: 1 2 4 8 16
constexpr int kVector = 4;  // knob: 2 4

template <class T, int kCount>
struct alignas(sizeof(T) * kCount) Pack {
  T item[kCount];
};

constexpr int kRows = kTeam > 32 ? 1 : 128 / kTeam;
constexpr int kWarps = (kTeam + 31) / 32;

/// All threads of a team get what they have together.
__device__ float team_max(float value) {
  const unsigned team = kTeam >= 32 ? ~0u : ((1u << kTeam % 32) - 1) << (threadIdx.x % 32 / kTeam * kTeam);
  for (int step = (kTeam < 32 ? kTeam : 32) / 2; step > 0; step /= 2)
    value = fmaxf(value, __shfl_xor_sync(team, value, step));
  if (kWarps > 1) {
    __shared__ float shares[kWarps];
    __syncthreads();
    if (threadIdx.x % 32 == 0) shares[threadIdx.x / 32] = value;
    __syncthreads();
    value = shares[threadIdx.x % 32 % kWarps];
    for (int step = kWarps / 2; step > 0; step /= 2)
      value = fmaxf(value, __shfl_xor_sync(team, value, step));
  }
  return value;
}

/// All threads of a team get what they have together.
__device__ float team_sum(float value) {
  const unsigned team = kTeam >= 32 ? ~0u : ((1u << kTeam % 32) - 1) << (threadIdx.x % 32 / kTeam * kTeam);
  for (int step = (kTeam < 32 ? kTeam : 32) / 2; step > 0; step /= 2)
    value += __shfl_xor_sync(team, value, step);
  if (kWarps > 1) {
    __shared__ float shares[kWarps];
    __syncthreads();
    if (threadIdx.x % 32 == 0) shares[threadIdx.x / 32] = value;
    __syncthreads();
    value = shares[threadIdx.x % 32 % kWarps];
    for (int step = kWarps / 2; step > 0; step /= 2)
      value += __shfl_xor_sync(team, value, step);
  }
  return value;
}

template <int kWidth>
__global__ void __launch_bounds__(kTeam * kRows) rows_by_teams(const float *x, float *y, int rows, int cols,
    int grid_x, unsigned rows_) {
  const int lane = threadIdx.x % kTeam;
  unsigned row_ = blockIdx.x * kRows + threadIdx.x / kTeam;
  if (row_ >= rows_) return;
  const int row = static_cast<int>(row_);
  float top = -INFINITY;
  Pack<float, kWidth> x_kept[kItems * kVector / kWidth];
  #pragma unroll
  for (int i = 0; i < kItems * kVector / kWidth; ++i) {
    const int first = (i * kTeam + lane) * kWidth;
    if (first < cols) {
      x_kept[i] = reinterpret_cast<const Pack<float, kWidth> &>(x[row * cols + first]);
    }
  }
  float top_part = -INFINITY;
  #pragma unroll
  for (int i = 0; i < kItems * kVector / kWidth; ++i) {
    const int first = (i * kTeam + lane) * kWidth;
    if (first < cols) {
      #pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        top_part = fmaxf(top_part, x_kept[i].item[e]);
      }
    }
  }
  top = fmaxf(top, team_max(top_part));
  float sum = 0.0f;
  float sum_part = 0.0f;
  #pragma unroll
  for (int i = 0; i < kItems * kVector / kWidth; ++i) {
    const int first = (i * kTeam + lane) * kWidth;
    if (first < cols) {
      #pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        sum_part += expf(x_kept[i].item[e] - top);
      }
    }
  }
  sum += team_sum(sum_part);
  #pragma unroll
  for (int i = 0; i < kItems * kVector / kWidth; ++i) {
    const int first = (i * kTeam + lane) * kWidth;
    if (first < cols) {
      Pack<float, kWidth> y_part1;
      #pragma unroll
      for (int e = 0; e < kWidth; ++e) {
        const int c = first + e;
        y_part1.item[e] = expf(x_kept[i].item[e] - top) / sum;
      }
      reinterpret_cast<Pack<float, kWidth> &>(y[row * cols + first]) = y_part1;
    }
  }
}


bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  // as many threads cooperate
  if (l.block.x != 256) return false;
  if (!l.disjoint(x, static_cast<size_t>(static_cast<long long>(rows) * static_cast<long long>(cols)) * 4, y,
      static_cast<size_t>(static_cast<long long>(rows) * static_cast<long long>(cols)) * 4)) return false;
  if (l.grid.x <= 0) return false;
  const long long rows_ = l.grid.x;
  const long long blocks = (rows_ + kRows - 1) / kRows;
  if (rows_ > 0x7fffffff || blocks > 0x7fffffff) return false;
  if (cols > kTeam * kItems * kVector) return false;  // more than registers hold
  if (cols % kVector == 0 && l.aligned(kVector * sizeof(*x), x) && l.aligned(kVector * sizeof(*y), y)) {
    rows_by_teams<kVector><<<static_cast<unsigned>(blocks), kTeam * kRows, 0, l.stream>>>(x, y, rows, cols,
        static_cast<int>(l.grid.x), static_cast<unsigned>(rows_));
  } else {
    rows_by_teams<1><<<static_cast<unsigned>(blocks), kTeam * kRows, 0, l.stream>>>(x, y, rows, cols,
        static_cast<int>(l.grid.x), static_cast<unsigned>(rows_));
  }
  return true;
}
