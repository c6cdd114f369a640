// cupilot variant of upper_matmul for sm_90 (record 2b2db572): 3xTF32 mma.sync triangular tiles, cp.async arriving on mbarriers, no block barrier, float4 fragments loaded ahead
// Upper triangular product: 128x128 tiles of C, three tf32 products for one of float. cp.async arrive on mbarriers,
// warps are not tied by block barriers, fragments are vector loads of permuted k and columns.
constexpr int kStages = 4;  // knob: 3 4 5
constexpr int kSplit = 1;  // knob: 0 1 2

constexpr int kBk = 32;
constexpr int kSide = 128;
constexpr int kThreads = 256;
constexpr int kFloatsA = kSide * kBk;
constexpr int kFloatsB = kBk * kSide;
constexpr int kFloatsStage = kFloatsA + kFloatsB;
constexpr int kRingBytes = kStages * kFloatsStage * 4;
static_assert(kStages >= 2 && kStages - 1 <= kSide / kBk, "the ring's first steps exist in every tile");
static_assert(kRingBytes <= 226 * 1024, "too much shared memory");

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void copy16(unsigned to, const float *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives for this thread when all its copies up to here have landed.
__device__ __forceinline__ void barrier_arrive_copies(unsigned barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
  unsigned done;
  do {
    asm volatile(
        "{ .reg .pred complete; "
        "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2; "
        "selp.b32 %0, 1, 0, complete; }"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  } while (done == 0);
}

__device__ __forceinline__ unsigned to_tf32(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

// x = big + small. The rest x - big is exact and has 12 bits or so; the tensor core takes the upper 11 of them.
// Infinities and NaN leave a NaN in small: the sums they reach are not finite, and are repaired at the end.
__device__ __forceinline__ void split(float x, unsigned &big, unsigned &small) {
  if (kSplit == 2)
    big = (__float_as_uint(x) + 0x1000u) & 0xffffe000u;
  else
    big = to_tf32(x);
  const float rest = x - __uint_as_float(big);
  if (kSplit == 0)
    small = to_tf32(rest);
  else
    small = __float_as_uint(rest);
}

__device__ __forceinline__ void mma_add(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ void mma_begin(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  const float zero = 0.0f;
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%10, %10, %10, %10};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(zero));
}

// 16 of k for one 16-row fragment and four 8-column fragments: chains from zero, then FADD.
__device__ __forceinline__ void chain(float (&acc)[4][4], const unsigned (&ah)[2][4], const unsigned (&al)[2][4],
                                      const unsigned (&bh)[2][4][2], const unsigned (&bl)[2][4][2]) {
  float d[4][4];
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_begin(d[j], al[0], bh[0][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_add(d[j], ah[0], bl[0][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_add(d[j], al[1], bh[1][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_add(d[j], ah[1], bl[1][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_add(d[j], ah[0], bh[0][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) mma_add(d[j], ah[1], bh[1][j]);
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int q = 0; q < 4; ++q) acc[j][q] += d[j][q];
  }
}

__device__ __forceinline__ float4 load4(const float *from) { return *reinterpret_cast<const float4 *>(from); }

__device__ __forceinline__ float part(const float4 &v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

// A lane owns k = 4t .. 4t+3 of 16. The m16n8k8 number h has 4t+2h as its k t, 4t+2h+1 as its k t+4.
// A: raw[q] is row g + 8q. B: raw[e] is k = 4t+e, its component j the column 4g+j, of n-fragment j.
__device__ __forceinline__ void load_a(float4 (&raw)[2], const float *as, int fragment) {
#pragma unroll
  for (int q = 0; q < 2; ++q) raw[q] = load4(as + (fragment * 16 + q * 8) * kBk);
}

__device__ __forceinline__ void load_b(float4 (&raw)[4], const float *bs, int kk) {
#pragma unroll
  for (int e = 0; e < 4; ++e) raw[e] = load4(bs + (kk * 16 + e) * kSide);
}

__device__ __forceinline__ void split_a(const float4 (&raw)[2], unsigned (&ah)[2][4], unsigned (&al)[2][4]) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int q = 0; q < 4; ++q) split(part(raw[q % 2], 2 * h + q / 2), ah[h][q], al[h][q]);
  }
}

__device__ __forceinline__ void split_b(const float4 (&raw)[4], unsigned (&bh)[2][4][2], unsigned (&bl)[2][4][2]) {
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int r = 0; r < 2; ++r) split(part(raw[2 * h + r], j), bh[h][j][r], bl[h][j][r]);
    }
  }
}

// An inner k-step: no test, the next fragments are loaded while the mma of this one run.
template <class Refill>
__device__ __forceinline__ void inner_step(float (&acc)[4][4][4], const float *as, const float *bs, int flip,
                                           const Refill &refill) {
  const float *const first_a = as + flip * 16, *const second_a = as + (1 - flip) * 16;
  float4 raw_a[2], raw_b[4];
  load_b(raw_b, bs, 0);
  load_a(raw_a, first_a, 0);
#pragma unroll
  for (int kk = 0; kk < 2; ++kk) {
    unsigned bh[2][4][2], bl[2][4][2];
    split_b(raw_b, bh, bl);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      unsigned ah[2][4], al[2][4];
      split_a(raw_a, ah, al);
      if (i < 3) {
        load_a(raw_a, kk == 0 ? first_a : second_a, i + 1);
      } else if (kk == 0) {
        load_b(raw_b, bs, 1);
        load_a(raw_a, second_a, 0);
      }
      chain(acc[i], ah, al, bh, bl);
    }
    if (kk == 0) refill();
  }
}

// A k-step within the first or last 128 of k. The blocks are of 16.
template <class Refill>
__device__ __forceinline__ void edge_step(float (&acc)[4][4][4], const float *as, const float *bs, int flip,
                                          int row_block, int col_block, int k_block, int g, int t,
                                          const Refill &refill) {
#pragma unroll
  for (int kk = 0; kk < 2; ++kk) {
    const int kb = k_block + kk;
    if (kb <= col_block + 1) {
      const int k = kb * 16 + 4 * t, col = col_block * 16 + 4 * g;
      float4 raw_b[4];
      load_b(raw_b, bs, kk);
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        if (k + e > col) raw_b[e].x = 0.0f;
        if (k + e > col + 1) raw_b[e].y = 0.0f;
        if (k + e > col + 2) raw_b[e].z = 0.0f;
        if (k + e > col + 3) raw_b[e].w = 0.0f;
      }
      unsigned bh[2][4][2], bl[2][4][2];
      split_b(raw_b, bh, bl);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (row_block + i <= kb) {
          float4 raw_a[2];
          load_a(raw_a, as + (kk ^ flip) * 16, i);
#pragma unroll
          for (int q = 0; q < 2; ++q) {
            const int row = (row_block + i) * 16 + q * 8 + g;
            if (row > k) raw_a[q].x = 0.0f;
            if (row > k + 1) raw_a[q].y = 0.0f;
            if (row > k + 2) raw_a[q].z = 0.0f;
            if (row > k + 3) raw_a[q].w = 0.0f;
          }
          unsigned ah[2][4], al[2][4];
          split_a(raw_a, ah, al);
          chain(acc[i], ah, al, bh, bl);
        }
      }
    }
    if (kk == 0) refill();
  }
}

__device__ __forceinline__ bool not_finite(float x) {
  return (__float_as_uint(x) & 0x7f800000u) == 0x7f800000u;
}

__global__ void __launch_bounds__(kThreads, 1)
    upper_tiles(const float *__restrict__ a, const float *__restrict__ b, float *c, int n) {
  extern __shared__ __align__(128) float ring[];
  __shared__ __align__(8) unsigned long long full[kStages], empty[kStages];
  const int tid = threadIdx.x, lane = tid % 32, g = lane / 4, t = lane % 4;
  const int warp = __shfl_sync(0xffffffffu, tid / 32, 0);
  const int warp_row = warp / 4, warp_col = warp % 4;
  const size_t wide = static_cast<size_t>(n);

  if (tid == 0) {
#pragma unroll
    for (int s = 0; s < kStages; ++s) {
      barrier_init(shared_address(&full[s]), kThreads);
      barrier_init(shared_address(&empty[s]), kThreads / 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();

  // Tile number to (bi, bj): first the one tile farthest from the diagonal, then two, ...
  const int tiles = n / kSide;
  int bi = blockIdx.x, in_group = 1;
  while (bi >= in_group) {
    bi -= in_group;
    ++in_group;
  }
  const int bj = bi + (tiles - in_group);

  const int k_first = bi * kSide;
  const int steps = (bj - bi + 1) * (kSide / kBk);

  // Copies: piece tid % 8 of A's rows tid / 8 + 32 u, piece lane of B's rows warp + 8 u. Piece s of A's row r
  // stands at s ^ 4 (r & 1), piece s of B's row r at s ^ 2 ((r >> 2) & 3).
  const int copy_row = tid / 8, copy_piece = tid % 8;
  const float *from_a = a + (static_cast<size_t>(k_first) + copy_row) * wide + k_first + copy_piece * 4;
  const float *from_b =
      b + (static_cast<size_t>(k_first) + tid / 32) * wide + static_cast<size_t>(bj) * kSide + lane * 4;
  const unsigned ring_at = shared_address(ring);
  const unsigned full_at = shared_address(full), empty_at = shared_address(empty);
  const unsigned to_a = ring_at + (copy_row * kBk + (copy_piece ^ (4 * (copy_row & 1))) * 4) * 4;
  const int piece_b = lane ^ (2 * ((tid / 32) >> 2));
  const unsigned row_b = ring_at + (kFloatsA + (tid / 32) * kSide) * 4;
  const unsigned to_b_even = row_b + piece_b * 16, to_b_odd = row_b + (piece_b ^ 4) * 16;

  auto fill = [&](int slot) {
    const unsigned stage = slot * (kFloatsStage * 4);
#pragma unroll
    for (int u = 0; u < 4; ++u) copy16(to_a + stage + u * (32 * kBk * 4), from_a + wide * (32 * u));
#pragma unroll
    for (int u = 0; u < 4; ++u)
      copy16((u % 2 ? to_b_odd : to_b_even) + stage + u * (8 * kSide * 4), from_b + wide * (8 * u));
    barrier_arrive_copies(full_at + slot * 8);
    from_a += kBk;
    from_b += wide * kBk;
  };

#pragma unroll
  for (int s = 0; s < kStages - 1; ++s) {
    if (s < steps) fill(s);
  }

  // The mirrored tile below the diagonal is zero.
  if (bi < bj) {
    float *zero_to = c + (static_cast<size_t>(bj) * kSide + tid / 32) * wide + bi * kSide + lane * 4;
#pragma unroll
    for (int i = 0; i < kSide / 8; ++i)
      *reinterpret_cast<float4 *>(zero_to + wide * (i * 8)) = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  }

  float acc[4][4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int q = 0; q < 4; ++q) acc[i][j][q] = 0.0f;
    }
  }

  const int row_block = bi * (kSide / 16) + warp_row * 4, col_block = bj * (kSide / 16) + warp_col * 2;
  const int flip = g & 1;
  const int offset_a = (warp_row * 64 + g) * kBk + t * 4;
  const int offset_b = kFloatsA + 4 * t * kSide + ((warp_col * 8 + g) ^ (2 * t)) * 4;
  const int edge_low = k_first + kSide, edge_high = bj * kSide;
  int read_slot = 0, fill_slot = kStages - 1;
  unsigned read_parity = 0, fill_parity = 1;  // a slot's first filling waits for nothing
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    // Step `step` + kStages - 1 goes to the slot of step - 1, when all warps are done with it.
    auto refill = [&]() {
      if (step + kStages - 1 < steps) {
        barrier_wait(empty_at + fill_slot * 8, fill_parity);
        __syncwarp();
        fill(fill_slot);
      }
    };
    barrier_wait(full_at + read_slot * 8, read_parity);
    __syncwarp();
    const float *stage = ring + read_slot * kFloatsStage;
    const int k0 = k_first + step * kBk;
    if (k0 < edge_low || k0 >= edge_high)
      edge_step(acc, stage + offset_a, stage + offset_b, flip, row_block, col_block, k0 / 16, g, t, refill);
    else
      inner_step(acc, stage + offset_a, stage + offset_b, flip, refill);
    __syncwarp();
    if (lane == 0) barrier_arrive(empty_at + read_slot * 8);
    if (++read_slot == kStages) {
      read_slot = 0;
      read_parity ^= 1u;
    }
    if (++fill_slot == kStages) {
      fill_slot = 0;
      fill_parity ^= 1u;
    }
  }

  // N-fragment j has the columns 4g+j: a lane's eight of a row are neighbours.
  const int row0 = bi * kSide + warp_row * 64 + g, col0 = bj * kSide + warp_col * 32 + 8 * t;
  bool repair = false;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
#pragma unroll
      for (int j = 0; j < 4; ++j)
        repair = repair || not_finite(acc[i][j][2 * q]) || not_finite(acc[i][j][2 * q + 1]);
      float *to = c + static_cast<size_t>(row0 + i * 16 + q * 8) * wide + col0;
      *reinterpret_cast<float4 *>(to) =
          make_float4(acc[i][0][2 * q], acc[i][1][2 * q], acc[i][2][2 * q], acc[i][3][2 * q]);
      *reinterpret_cast<float4 *>(to + 4) =
          make_float4(acc[i][0][2 * q + 1], acc[i][1][2 * q + 1], acc[i][2][2 * q + 1], acc[i][3][2 * q + 1]);
    }
  }

  // Infinities, NaN and overflow in the split: the same sums once more in plain float, as the original does.
  if (repair) {
#pragma unroll 1
    for (int e = 0; e < 64; ++e) {
      const int row = row0 + (e / 8) * 8, col = col0 + e % 8;
      float *to = c + static_cast<size_t>(row) * wide + col;
      if (!not_finite(*to)) continue;
      const int last = col / 16 * 16 + 15;
      float sum = 0.0f;
#pragma unroll 4
      for (int k = row / 16 * 16; k <= last; ++k) {
        const float x = row <= k ? a[static_cast<size_t>(row) * wide + k] : 0.0f;
        const float y = k <= col ? b[static_cast<size_t>(k) * wide + col] : 0.0f;
        sum += x * y;
      }
      *to = sum;
    }
  }
}

bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int n) {
  if (n <= 0 || n % kSide || n > (1 << 18) || !l.aligned(16, a, b, c)) return false;
  if (l.block.x != 16 || l.block.y != 16 || l.block.z != 1 || l.grid.z != 1) return false;
  const unsigned blocks_16 = static_cast<unsigned>(n) / 16;
  if (l.grid.x < blocks_16 || l.grid.y < blocks_16) return false;
  const size_t bytes = static_cast<size_t>(n) * static_cast<size_t>(n) * sizeof(float);
  if (!l.disjoint(c, bytes, a, bytes) || !l.disjoint(c, bytes, b, bytes)) return false;
  if (cudaFuncSetAttribute(upper_tiles, cudaFuncAttributeMaxDynamicSharedMemorySize, kRingBytes) != cudaSuccess)
    return false;
  const int tiles = n / kSide;
  upper_tiles<<<tiles * (tiles + 1) / 2, kThreads, kRingBytes, l.stream>>>(a, b, c, n);
  return true;
}
