// cupilot variant of conv2d_kernel for sm_90 (record ee0a4809): each factor in two parts of 11 bits, three products of them on tensor cores, as exact as fp32
constexpr int kTileM = 64;  // knob: 64 128
constexpr int kTileN = 128;  // knob: 32 64 128
constexpr int kResident = 2;  // knob: 1 2
constexpr int kTileK = 16;  // knob: 8 16
constexpr int kM = 8;  // knob: 4 8
constexpr int kN = 4;  // knob: 4 8

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

/// Where a term's elements are.
struct Term {
  int right;
  int r;
  int s;
  bool counts;
};

__device__ __forceinline__ Term term_at(int c, int h, int w, int term) {
  const bool counts = term < c * 3 * 3;
  const int s = term % 3;
  term /= 3;
  const int r = term % 3;
  term /= 3;
  const int channel = term;
  return {channel * h * w + r * w + s, r, s, counts};
}

/// An element of the left operand; zero outside of it.
template <bool kWhole>
__device__ __forceinline__ float left(const float *filters, int c, int k, int place, int term) {
  if (!kWhole && (place >= k || term >= c * 3 * 3)) return 0;
  const int block_z1 = place;
  return filters[(9 * (block_z1 * c)) + term];
}

/// Four neighbours of the left operand.
template <bool kWhole>
__device__ __forceinline__ Four left_four(const float *filters, int c, int k, int place, int term) {
  if constexpr (kWhole) {
    const int block_z1 = place;
    return reinterpret_cast<const Four &>(filters[(9 * (block_z1 * c)) + term]);
  } else {
    return {{left<false>(filters, c, k, place, term), left<false>(filters, c, k, place, term + 1),
        left<false>(filters, c, k, place, term + 2), left<false>(filters, c, k, place, term + 3)}};
  }
}

/// Where the right operand's elements for an output are.
struct RightPlace {
  int start;
  int row;
  int col;
  bool counts;
};

__device__ __forceinline__ RightPlace right_place(int c, int h, int w, int k, int grid_z, int place) {
  const bool counts = place < grid_z / k * h * w;
  const int col = place % w;
  place /= w;
  const int row = place % h;
  place /= h;
  const int block_z0 = place;
  return {block_z0 * c * h * w + row * w + col - w - 1, row, col, counts};
}

/// Whether the right operand has an element there.
template <bool kWhole>
__device__ __forceinline__ bool right_counts(const float *x, int c, int h, int w, int k, int grid_z,
    const RightPlace &place, const Term &term) {
  if (!kWhole && (!place.counts || !term.counts)) return false;
  const int row = place.row;
  const int col = place.col;
  const int r = term.r;
  const int s = term.s;
  return row + r - 1 >= 0 && row + r - 1 < h && col + s - 1 >= 0 && col + s - 1 < w;
}

/// An element of the right operand; zero outside of it.
template <bool kWhole>
__device__ __forceinline__ float right(const float *x, int c, int h, int w, int k, int grid_z,
    const RightPlace &place, const Term &term) {
  if (!kWhole && (!place.counts || !term.counts)) return 0;
  const int row = place.row;
  const int col = place.col;
  const int r = term.r;
  const int s = term.s;
  return row + r - 1 >= 0 && row + r - 1 < h && col + s - 1 >= 0 && col + s - 1 < w ? x[place.start +
      term.right] : float(0);
}

/// An output, term by term: what is not finite is so because of terms that count.
__device__ __noinline__ float one_output(const float *x, const float *filters, int c, int h, int w, int k,
    int grid_z, int row_, int column) {
  float total = 0;
  for (int term = 0; term < c * 3 * 3; ++term) {
    const Term there = term_at(c, h, w, term);
    if (right_counts<false>(x, c, h, w, k, grid_z, right_place(c, h, w, k, grid_z, column),
        there)) total += left<false>(filters, c, k, row_, term) * right<false>(x, c, h, w, k, grid_z,
        right_place(c, h, w, k, grid_z, column), there);
  }
  return total;
}

/// A block makes a tile of outputs, and each of its threads kM x kN of them. kWhole: no tile
/// reaches beyond what there is.
template <bool kWhole>
__global__ void __launch_bounds__(kTileM / kM * (kTileN / kN), kResident) product(const float *x,
    const float *filters, float *y, int n, int c, int h, int w, int k, int grid_z) {
  constexpr int kThreads = kTileM / kM * (kTileN / kN);
  __shared__ __align__(32) float left_tile[2][kTileM][kTileK + 4], right_tile[2][kTileK][kTileN + 8];
  const int thread = threadIdx.x;
  const int tiles_across = (grid_z / k * h * w + kTileN - 1) / kTileN, tiles_down = (k + kTileM - 1) / kTileM;
  const int first_right = blockIdx.x % tiles_across * kTileN;
  const int first_left = blockIdx.x / tiles_across % tiles_down * kTileM;
  static_assert(kTileM % (kM * 8) == 0 && kTileN % (kN * 4) == 0, "whole warps");
  const int across = thread / 32 % (kTileN / kN / 4) * kN * 4;
  const int down = thread / 32 / (kTileN / kN / 4) * kM * 8;
  const int eighth = thread % 32 / 4, quarter = thread % 4;
  float total[kM / 2][kN / 2][4] = {};
  __shared__ Term terms[2][kTileK];
  constexpr int kRightPlaces = kThreads < kTileN ? kTileN / kThreads : 1;
  RightPlace right_places[kRightPlaces];
  #pragma unroll
  for (int i = 0; i < kRightPlaces; ++i)
    right_places[i] = right_place(c, h, w, k, grid_z, first_right + (i * kThreads + thread) % kTileN);
  constexpr int left_fours = (kTileM * kTileK / 4 + kThreads - 1) / kThreads;
  Four left_next[left_fours];
  float right_next[kTileN * kTileK / kThreads];
  const auto fetch = [&](int term, int slot) {
    #pragma unroll
    for (int i = 0; i < left_fours; ++i) {
      const int at = (i * kThreads + thread) * 4;
      if (at < kTileM * kTileK) left_next[i] = left_four<kWhole>(filters, c, k, first_left + at / kTileK,
          term + at % kTileK);
    }
    #pragma unroll
    for (int i = 0; i < kTileN * kTileK / kThreads; ++i) {
      const int at = i * kThreads + thread;
      right_next[i] = right<kWhole>(x, c, h, w, k, grid_z, right_places[i % kRightPlaces],
          terms[slot][at / kTileN]);
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
    for (int i = 0; i < kTileN * kTileK / kThreads; ++i) {
      const int at = i * kThreads + thread;
      right_tile[buffer][at / kTileN][at % kTileN] = right_next[i];
    }
  };
  const auto plan = [&](int term, int slot) {
    if (thread < kTileK) terms[slot][thread] = term_at(c, h, w, term + thread);
  };
  plan(0, 0);
  plan(kTileK, 1);
  __syncthreads();
  int term = 0, buffer = 0;
  fetch(term, buffer);
  put(buffer);
  __syncthreads();
  for (term += kTileK;; term += kTileK) {
    if (term < c * 3 * 3) fetch(term, buffer ^ 1);
    plan(term + kTileK, buffer);
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
    if (term >= c * 3 * 3) break;
    buffer ^= 1;
    put(buffer);
    __syncthreads();
  }
  const auto finish = [&](int i, int j, float sum) {
    const int row_ = first_left + down + i * 8 + eighth,
        column = first_right + across + j / 2 * 8 + quarter * 2 + j % 2;
    if (!kWhole && (row_ >= k || column >= grid_z / k * h * w)) return;
    const int block_z1 = row_;
    int inner = column;
    const int col = inner % w;
    inner /= w;
    const int row = inner % h;
    inner /= h;
    const int block_z0 = inner;
    y[((block_z0 * k + block_z1) * h + row) * w + col] = sum;
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
      for (int j = 0; j < kN; ++j) finish(i, j, one_output(x, filters, c, h, w, k, grid_z,
          first_left + down + i * 8 + eighth, first_right + across + j / 2 * 8 + quarter * 2 + j % 2));
    }
  }
}

bool launch(const cupilot::Launch &l, const float *x, const float *filters, float *y, int n, int c, int h,
    int w, int k) {
  if (k == 0) return false;
  // the launch has a thread for every col
  if ((static_cast<long long>(l.grid.x) * l.block.x) < w) return false;
  // the launch has a thread for every row
  if ((static_cast<long long>(l.grid.y) * l.block.y) < h) return false;
  // there is something to divide by
  if (k <= 0) return false;
  // block_z counts in whole rounds
  if (l.grid.z % k != 0) return false;
  if (!l.disjoint(filters,
      static_cast<size_t>(static_cast<long long>(k) * static_cast<long long>(c) * 9) * 4, y,
      static_cast<size_t>(static_cast<long long>(n) * static_cast<long long>(k) * static_cast<long long>(h) *
      static_cast<long long>(w)) * 4)) return false;
  if (!l.disjoint(x,
      static_cast<size_t>(static_cast<long long>(n) * static_cast<long long>(c) * static_cast<long long>(h) *
      static_cast<long long>(w)) * 4, y,
      static_cast<size_t>(static_cast<long long>(n) * static_cast<long long>(k) * static_cast<long long>(h) *
      static_cast<long long>(w)) * 4)) return false;
  if (k <= 0) return false;
  if (l.grid.z / k <= 0) return false;
  if (h <= 0) return false;
  if (w <= 0) return false;
  if (c <= 0) return false;
  if (3 <= 0) return false;
  const long long lefts = k, rights = static_cast<long long>(l.grid.z / k) * h * w,
      terms = static_cast<long long>(c) * 3 * 3;
  if (lefts > 0x7fffff00 || rights > 0x7fffff00 || terms > 0x7fffff00) return false;
  const long long tiles = (lefts + kTileM - 1) / kTileM * ((rights + kTileN - 1) / kTileN);
  if (tiles > 0x7fffffff) return false;
  const bool whole = lefts % kTileM == 0 && rights % kTileN == 0 && terms % kTileK == 0 && l.aligned(4 *
      sizeof(*filters), filters) && (static_cast<long long>(9) * c) % 4 == 0;
  if (whole) {
    product<true><<<static_cast<unsigned>(tiles), kTileM / kM * (kTileN / kN), 0, l.stream>>>(x, filters, y,
        n, c, h, w, k, static_cast<int>(l.grid.z));
  } else {
    product<false><<<static_cast<unsigned>(tiles), kTileM / kM * (kTileN / kN), 0, l.stream>>>(x, filters, y,
        n, c, h, w, k, static_cast<int>(l.grid.z));
  }
  return true;
}
