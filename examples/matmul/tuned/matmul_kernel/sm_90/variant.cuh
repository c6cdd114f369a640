// cupilot variant of matmul_kernel for sm_90 (record c7d87fc3): each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32
constexpr int kTileM = 64;  // knob: 64 128
constexpr int kTileN = 128;  // knob: 32 64 128
constexpr int kResident = 2;  // knob: 1 2
constexpr int kTileK = 16;  // knob: 8 16
constexpr int kM = 8;  // knob: 4 8
constexpr int kN = 8;  // knob: 4 8

struct alignas(4 * sizeof(float)) Four {
  float item[4];
};

/// x as high + low, both of 11 bits; NaN in low if x is not finite.
__device__ __forceinline__ void split(float x, unsigned &high, unsigned &low) {
  high = (__float_as_uint(x) + 0x1000) & 0xffffe000;
  low = __float_as_uint(x - __uint_as_float(high)) & 0xffffe000;
}

/// Adds the product of 16 x 8 and 8 x 8 elements.
__device__ __forceinline__ void add_product(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// An element of the left operand; zero outside of it.
template <bool kWhole>
__device__ __forceinline__ float left(const float *a, int m, int k, int place, int term) {
  if (!kWhole && (place >= m || term >= k)) return 0;
  const int row = place;
  const int l = term;
  return a[(k * row) + l];
}

/// Four neighbours of the left operand.
template <bool kWhole>
__device__ __forceinline__ Four left_four(const float *a, int m, int k, int place, int term) {
  if constexpr (kWhole) {
    const int row = place;
    const int l = term;
    return reinterpret_cast<const Four &>(a[(k * row) + l]);
  } else {
    return {{left<false>(a, m, k, place, term), left<false>(a, m, k, place, term + 1), left<false>(a, m, k,
        place, term + 2), left<false>(a, m, k, place, term + 3)}};
  }
}

/// An element of the right operand; zero outside of it.
template <bool kWhole>
__device__ __forceinline__ float right(const float *b, int n, int k, int place, int term) {
  if (!kWhole && (place >= n || term >= k)) return 0;
  const int col = place;
  const int l = term;
  return b[col + (l * n)];
}

/// Four neighbours of the right operand.
template <bool kWhole>
__device__ __forceinline__ Four right_four(const float *b, int n, int k, int place, int term) {
  if constexpr (kWhole) {
    const int col = place;
    const int l = term;
    return reinterpret_cast<const Four &>(b[col + (l * n)]);
  } else {
    return {{right<false>(b, n, k, place, term), right<false>(b, n, k, place + 1, term), right<false>(b, n,
        k, place + 2, term), right<false>(b, n, k, place + 3, term)}};
  }
}

/// An output, term by term: what is not finite is so because of terms that count.
__device__ __noinline__ float one_output(const float *a, const float *b, int m, int n, int k, int row_,
    int column) {
  float total = 0;
  for (int term = 0; term < k; ++term) {
    total += left<false>(a, m, k, row_, term) * right<false>(b, n, k, column, term);
  }
  return total;
}

/// A block makes a tile of outputs, and each of its threads kM x kN of them. kWhole: no tile
/// reaches beyond what there is.
template <bool kWhole>
__global__ void __launch_bounds__(kTileM / kM * (kTileN / kN), kResident) product(const float *a,
    const float *b, float *c, int m, int n, int k) {
  constexpr int kThreads = kTileM / kM * (kTileN / kN);
  __shared__ __align__(32) float left_tile[2][kTileM][kTileK + 4], right_tile[2][kTileK][kTileN + 8];
  const int thread = threadIdx.x;
  const int tiles_across = (n + kTileN - 1) / kTileN, tiles_down = (m + kTileM - 1) / kTileM;
  const int first_right = blockIdx.x % tiles_across * kTileN;
  const int first_left = blockIdx.x / tiles_across % tiles_down * kTileM;
  static_assert(kTileM % (kM * 8) == 0 && kTileN % (kN * 4) == 0, "whole warps");
  const int across = thread / 32 % (kTileN / kN / 4) * kN * 4;
  const int down = thread / 32 / (kTileN / kN / 4) * kM * 8;
  const int eighth = thread % 32 / 4, quarter = thread % 4;
  float total[kM / 2][kN / 2][4] = {};
  constexpr int left_fours = (kTileM * kTileK / 4 + kThreads - 1) / kThreads;
  Four left_next[left_fours];
  constexpr int right_fours = (kTileN * kTileK / 4 + kThreads - 1) / kThreads;
  Four right_next[right_fours];
  const auto fetch = [&](int term) {
    #pragma unroll
    for (int i = 0; i < left_fours; ++i) {
      const int at = (i * kThreads + thread) * 4;
      if (at < kTileM * kTileK) left_next[i] = left_four<kWhole>(a, m, k, first_left + at / kTileK,
          term + at % kTileK);
    }
    #pragma unroll
    for (int i = 0; i < right_fours; ++i) {
      const int at = (i * kThreads + thread) * 4;
      if (at < kTileN * kTileK) right_next[i] = right_four<kWhole>(b, n, k, first_right + at % kTileN,
          term + at / kTileN);
    }
  };
  const auto put = [&](int buffer) {
    #pragma unroll
    for (int i = 0; i < left_fours; ++i) {
      const int at = (i * kThreads + thread) * 4;
      if (at >= kTileM * kTileK) continue;
      reinterpret_cast<Four &>(left_tile[buffer][at / kTileK][at % kTileK]) = left_next[i];
    }
    #pragma unroll
    for (int i = 0; i < right_fours; ++i) {
      const int at = (i * kThreads + thread) * 4;
      if (at >= kTileN * kTileK) continue;
      reinterpret_cast<Four &>(right_tile[buffer][at / kTileN][at % kTileN]) = right_next[i];
    }
  };
  int term = 0, buffer = 0;
  fetch(term);
  put(buffer);
  __syncthreads();
  for (term += kTileK;; term += kTileK) {
    if (term < k) fetch(term);
    unsigned right_high[kTileK / 8][kN / 2][2], right_low[kTileK / 8][kN / 2][2];
    #pragma unroll
    for (int k_ = 0; k_ < kTileK; k_ += 8) {
      #pragma unroll
      for (int j = 0; j < kN / 2; ++j) {
        #pragma unroll
        for (int e = 0; e < 2; ++e)
          split(right_tile[buffer][k_ + e * 4 + quarter][across + j * 8 + eighth], right_high[k_ / 8][j][e],
              right_low[k_ / 8][j][e]);
      }
    }
    #pragma unroll
    for (int i = 0; i < kM / 2; ++i) {
      float part[kN / 2][4] = {}, small[kN / 2][4] = {};
      #pragma unroll
      for (int k_ = 0; k_ < kTileK; k_ += 8) {
        unsigned left_high[4], left_low[4];
        #pragma unroll
        for (int e = 0; e < 4; ++e)
          split(left_tile[buffer][down + i * 16 + e % 2 * 8 + eighth][k_ + e / 2 * 4 + quarter],
              left_high[e], left_low[e]);
        #pragma unroll
        for (int j = 0; j < kN / 2; ++j) add_product(small[j], left_low, right_high[k_ / 8][j]);
        #pragma unroll
        for (int j = 0; j < kN / 2; ++j) add_product(small[j], left_high, right_low[k_ / 8][j]);
        #pragma unroll
        for (int j = 0; j < kN / 2; ++j) add_product(part[j], left_high, right_high[k_ / 8][j]);
      }
      #pragma unroll
      for (int j = 0; j < kN / 2; ++j) {
        #pragma unroll
        for (int e = 0; e < 4; ++e) total[i][j][e] += part[j][e] + small[j][e];
      }
    }
    if (term >= k) break;
    buffer ^= 1;
    put(buffer);
    __syncthreads();
  }
  const auto finish = [&](int i, int j, float sum) {
    const int row_ = first_left + down + i * 8 + eighth,
        column = first_right + across + j / 2 * 8 + quarter * 2 + j % 2;
    if (!kWhole && (row_ >= m || column >= n)) return;
    const int row = row_;
    const int col = column;
    c[row * n + col] = sum;
  };
  bool odd = false;
  #pragma unroll
  for (int i = 0; i < kM; ++i) {
    #pragma unroll
    for (int j = 0; j < kN; ++j) odd = odd || !isfinite(total[i / 2][j / 2][i % 2 * 2 + j % 2]);
  }
  if (!odd) {
    #pragma unroll
    for (int i = 0; i < kM; ++i) {
      #pragma unroll
      for (int j = 0; j < kN; ++j) finish(i, j, total[i / 2][j / 2][i % 2 * 2 + j % 2]);
    }
  } else {
    #pragma unroll 1
    for (int i = 0; i < kM; ++i) {
      #pragma unroll 1
      for (int j = 0; j < kN; ++j) finish(i, j, one_output(a, b, m, n, k, first_left + down + i * 8 + eighth,
          first_right + across + j / 2 * 8 + quarter * 2 + j % 2));
    }
  }
}

bool launch(const cupilot::Launch &l_, const float *a, const float *b, float *c, int m, int n, int k) {
  // the launch has a thread for every col
  if ((static_cast<long long>(l_.grid.x) * l_.block.x) < n) return false;
  // the launch has a thread for every row
  if ((static_cast<long long>(l_.grid.y) * l_.block.y) < m) return false;
  if (!l_.disjoint(a, static_cast<size_t>(static_cast<long long>(m) * static_cast<long long>(k)) * 4, c,
      static_cast<size_t>(static_cast<long long>(m) * static_cast<long long>(n)) * 4)) return false;
  if (!l_.disjoint(b, static_cast<size_t>(static_cast<long long>(k) * static_cast<long long>(n)) * 4, c,
      static_cast<size_t>(static_cast<long long>(m) * static_cast<long long>(n)) * 4)) return false;
  if (m <= 0) return false;
  if (n <= 0) return false;
  if (k <= 0) return false;
  const long long lefts = m, rights = n, terms = k;
  if (lefts > 0x7fffff00 || rights > 0x7fffff00 || terms > 0x7fffff00) return false;
  const long long tiles = (lefts + kTileM - 1) / kTileM * ((rights + kTileN - 1) / kTileN);
  if (tiles > 0x7fffffff) return false;
  const bool whole = lefts % kTileM == 0 && rights % kTileN == 0 && terms % kTileK == 0 && l_.aligned(4 *
      sizeof(*a), a) && k % 4 == 0 && l_.aligned(4 * sizeof(*b), b) && n % 4 == 0;
  if (whole) {
    product<true><<<static_cast<unsigned>(tiles), kTileM / kM * (kTileN / kN), 0, l_.stream>>>(a, b, c, m, n,
        k);
  } else {
    product<false><<<static_cast<unsigned>(tiles), kTileM / kM * (kTileN / kN), 0, l_.stream>>>(a, b, c, m,
        n, k);
  }
  return true;
}
