// cupilot variant of matmul for sm_90 (record 0ef23786): Two scaled half planes (11 + 11 bits), three m16n8k16 products, bulk-copy ring, loss bound checked in epilogue
// x * s = hi + lo / 2048 in two half planes (11 + 11 bits, s a power of two for each packed tile), packed once;
// three half products a k16 by mma.sync; what two planes cannot hold is bounded and checked in the epilogue.
constexpr int kTileN = 256;  // knob: 64 128 256
constexpr int kStages = 4;  // knob: 3 4 6
constexpr int kRows = 1;  // knob: 1 2 4
constexpr int kChain = 1;  // knob: 1 2

constexpr int kGroup = 8;                         // rows of tiles whose columns are walked together
constexpr int kTileM = 128;                       // rows of C a block
constexpr int kSlice = 32;                        // k of one stage
constexpr int kSteps = kSlice / 16;               // mma k-steps of one stage
constexpr int kChains = kSteps / kChain;          // chains of mma a stage
constexpr int kPlanes = 2;                        // hi, lo
constexpr int kConsumers = 8;                     // warps, 2 (rows) x 4 (columns)
constexpr int kThreads = (kConsumers + 1) * 32;   // and one producer warp
constexpr int kWarpN = kTileN / 4;                // columns a warp, rows are 64
constexpr int kPairs = kWarpN / 16;               // pieces of 16 columns a warp
constexpr int kPartPairs = kPairs < 2 ? kPairs : 2;  // pieces whose planes are held at a time
constexpr int kParts = kPairs / kPartPairs;
constexpr int kRowParts = 4 / kRows;              // turns over the four row fragments of a warp
constexpr int kTurns = kChains * kParts * kRowParts;
constexpr int kLastLoad = kRowParts > 1 ? kTurns - 2 : kTurns - 1;  // the turn that issues the last ldmatrix
constexpr int kAPlane = kTileM * kSlice / 8;      // uint4 (8 halves) of one plane of A a stage
constexpr int kBPlane = kTileN * kSlice / 8;
constexpr int kAVectors = kPlanes * kAPlane;
constexpr int kBVectors = kPlanes * kBPlane;
constexpr int kStageVectors = kAVectors + kBVectors;
constexpr int kRingBytes = kStages * kStageVectors * 16;
constexpr int kPackThreads = 256;
constexpr int kPackWarps = kPackThreads / 32;
constexpr int kStrip = 128;                       // columns of B a packing block
constexpr int kPadN = kTileN > kStrip ? kTileN : kStrip;
constexpr unsigned kAllLanes = 0xffffffffu;
static_assert(kRingBytes + 1024 <= 232448, "the ring does not fit into shared memory");
static_assert(kPadN % kTileN == 0 && kPadN % kStrip == 0 && kPairs >= 1, "tile shape");
static_assert(4 % kRows == 0 && kSteps % kChain == 0, "fragments of 16 rows at a time, chains within a stage");

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(unsigned barrier, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ bool barrier_test(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile(
      "{\n\t"
      ".reg .pred p;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
      "selp.b32 %0, 1, 0, p;\n\t"
      "}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
  while (!barrier_test(barrier, parity)) {
  }
}

__device__ __forceinline__ void bulk_copy(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

// Ordered among the other volatile assembly (waits and arrivals); everything else may move around them.
__device__ __forceinline__ void load_matrices(unsigned (&d)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(from));
}

__device__ __forceinline__ void load_matrices_transposed(unsigned (&d)[4], unsigned from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(from));
}

__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two floats to half, the first one in the lower half.
__device__ __forceinline__ unsigned to_halves(float first, float second) {
  unsigned both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

__device__ __forceinline__ void from_halves(unsigned both, float &first, float &second) {
  asm("{\n\t"
      ".reg .b16 low, high;\n\t"
      "mov.b32 {low, high}, %2;\n\t"
      "cvt.f32.f16 %0, low;\n\t"
      "cvt.f32.f16 %1, high;\n\t"
      "}"
      : "=f"(first), "=f"(second)
      : "r"(both));
}

// How much of x the planes lost, where that is more than the 22 bits they always have; 0 if x is not finite.
__device__ __forceinline__ float lost_of(float x, float scaled, float rest, float inverse) {
  const float size = fabsf(scaled), left = fabsf(rest);
  if (size < 0x1p-60f) return fabsf(x);
  return left > 0x1p-22f * size ? left * inverse : 0.0f;
}

// Both planes of two floats; what is not finite, or too large for half, leaves NaN or opposite infinities.
__device__ __forceinline__ void split_two(float x0, float x1, float scale, float inverse, unsigned &hi, unsigned &lo,
                                          float &lost) {
  const float y0 = __fmul_rn(x0, scale), y1 = __fmul_rn(x1, scale);
  float h0, h1, l0, l1;
  hi = to_halves(y0, y1);
  from_halves(hi, h0, h1);
  const float r0 = __fsub_rn(y0, h0), r1 = __fsub_rn(y1, h1);
  lo = to_halves(__fmul_rn(r0, 2048.0f), __fmul_rn(r1, 2048.0f));
  from_halves(lo, l0, l1);
  lost = fmaxf(lost, lost_of(x0, y0, fmaf(l0, -0x1p-11f, r0), inverse));
  lost = fmaxf(lost, lost_of(x1, y1, fmaf(l1, -0x1p-11f, r1), inverse));
}

__device__ __forceinline__ void store_planes(const float (&x)[8], uint4 *to, int plane, float scale, float inverse,
                                             float &lost) {
  uint4 hi, lo;
  split_two(x[0], x[1], scale, inverse, hi.x, lo.x, lost);
  split_two(x[2], x[3], scale, inverse, hi.y, lo.y, lost);
  split_two(x[4], x[5], scale, inverse, hi.z, lo.z, lost);
  split_two(x[6], x[7], scale, inverse, hi.w, lo.w, lost);
  to[0] = hi;
  to[plane] = lo;
}

__device__ __forceinline__ void load_piece(float (&x)[8], const float *from, int left, bool vectors) {
  if (vectors && left >= 8) {
    const float4 first = reinterpret_cast<const float4 *>(from)[0], second = reinterpret_cast<const float4 *>(from)[1];
    x[0] = first.x, x[1] = first.y, x[2] = first.z, x[3] = first.w;
    x[4] = second.x, x[5] = second.y, x[6] = second.z, x[7] = second.w;
  } else {
#pragma unroll
    for (int e = 0; e < 8; ++e) x[e] = e < left ? from[e] : 0.0f;
  }
}

__device__ __forceinline__ bool not_finite(float x) { return (__float_as_uint(x) & 0x7f800000u) == 0x7f800000u; }

// Which tile of C: columns of kGroup tiles, so that the blocks at work share panels in the L2.
__device__ __forceinline__ int2 tile_place(int tile, int tiles_m, int tiles_n) {
  const int per_group = kGroup * tiles_n, group = tile / per_group, within = tile % per_group;
  const int first = group * kGroup, rows = min(kGroup, tiles_m - first);
  return make_int2(first + within % rows, within / rows);
}

// Packed A: panel of 128 rows, slice of 32 k, plane, step of 16 k, fragment of 16 rows, its four 8 x 8 matrices
// (rows 0-7 k 0-7, rows 8-15 k 0-7, rows 0-7 k 8-15, rows 8-15 k 8-15), row: 16 bytes.
// Packed B: panel of kTileN columns, slice of 32 k, plane, step of 16 k, piece of 16 columns, its four matrices
// (k 0-7 n 0-7, k 8-15 n 0-7, k 0-7 n 8-15, k 8-15 n 8-15), k: 16 bytes.
// info: for each packed tile of A [panel][slice], then of B [strip of 128][slice]: 1/scale, largest loss, largest |x|.
__global__ void __launch_bounds__(kPackThreads)
    pack(const float *__restrict__ a, const float *__restrict__ b, uint4 *__restrict__ a_packed,
         uint4 *__restrict__ b_packed, float4 *__restrict__ info, int m, int n, int k, int slices, int a_tiles,
         int a_vectors, int b_vectors) {
  __shared__ unsigned warp_largest[kPackWarps], warp_lost[kPackWarps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, r = lane / 4, piece = lane % 4;
  const int block = blockIdx.x;
  float x[2][8];
  if (block < a_tiles) {
    const int panel = block / slices, slice = block % slices, col = slice * kSlice + piece * 8;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int row = panel * kTileM + (warp + 8 * i) * 8 + r;
      const int left = row < m ? k - col : 0;
      load_piece(x[i], a + static_cast<size_t>(row) * k + col, left, a_vectors != 0);
    }
  } else {
    const int strip = (block - a_tiles) / slices, slice = (block - a_tiles) % slices;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int task = warp + 8 * i;
      const int row = slice * kSlice + task / 4 * 8 + r, col = strip * kStrip + task % 4 * 32 + piece * 8;
      const int left = row < k ? n - col : 0;
      load_piece(x[i], b + static_cast<size_t>(row) * n + col, left, b_vectors != 0);
    }
  }

  // The largest finite |x| of the tile, as bits, and the power of two that brings it to [2^14, 2^15).
  unsigned largest = 0;
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int e = 0; e < 8; ++e) {
      const unsigned bits = __float_as_uint(x[i][e]) & 0x7fffffffu;
      if (bits < 0x7f800000u) largest = max(largest, bits);
    }
  largest = __reduce_max_sync(kAllLanes, largest);
  if (lane == 0) warp_largest[warp] = largest;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kPackWarps; ++i) largest = max(largest, warp_largest[i]);
  const int wanted = largest == 0 ? 0 : 141 - static_cast<int>(largest >> 23);
  const int power = min(60, max(-60, wanted));
  const float scale = __uint_as_float(static_cast<unsigned>(127 + power) << 23);
  const float inverse = __uint_as_float(static_cast<unsigned>(127 - power) << 23);

  float lost = 0.0f;
  if (block < a_tiles) {
    const int panel = block / slices, slice = block % slices;
    uint4 *to = a_packed + (static_cast<size_t>(panel) * slices + slice) * kAVectors;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int octet = warp + 8 * i, matrix = piece % 2 * 2 + octet % 2;
      store_planes(x[i], to + ((piece / 2 * (kTileM / 16) + octet / 2) * 4 + matrix) * 8 + r, kAPlane, scale, inverse,
                   lost);
    }
  } else {
    const int strip = (block - a_tiles) / slices, slice = (block - a_tiles) % slices;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int task = warp + 8 * i, octet = task / 4;
      const int col = strip * kStrip + task % 4 * 32 + piece * 8;
      const int panel = col / kTileN, part = col % kTileN / 16, matrix = piece % 2 * 2 + octet % 2;
      uint4 *to = b_packed + (static_cast<size_t>(panel) * slices + slice) * kBVectors;
      store_planes(x[i], to + ((octet / 2 * (kTileN / 16) + part) * 4 + matrix) * 8 + r, kBPlane, scale, inverse,
                   lost);
    }
  }
  const unsigned lost_bits = __reduce_max_sync(kAllLanes, __float_as_uint(lost));
  if (lane == 0) warp_lost[warp] = lost_bits;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned most = 0;
    for (int i = 0; i < kPackWarps; ++i) most = max(most, warp_lost[i]);
    info[block] = make_float4(inverse, __uint_as_float(most), __uint_as_float(largest), 0.0f);
  }
}

// The fragments of A of one turn.
__device__ __forceinline__ void load_a(unsigned (&to)[kChain][kPlanes][kRows][4], unsigned from_a, int turn) {
  const int first = turn % kRowParts * kRows, chain = turn / (kRowParts * kParts);
#pragma unroll
  for (int s = 0; s < kChain; ++s)
#pragma unroll
    for (int p = 0; p < kPlanes; ++p)
#pragma unroll
      for (int i = 0; i < kRows; ++i)
        load_matrices(to[s][p][i],
                      from_a + p * (kAPlane * 16) + ((chain * kChain + s) * (kTileM / 16) + first + i) * 512);
}

// The marked elements of one row fragment of the warp, each by all lanes, in float from the original a and b.
__device__ __forceinline__ void redo_marked(unsigned bad, int row0, int col0, const float *a, const float *b, float *c,
                                            int n, int k, int lane) {
  unsigned owners = __ballot_sync(kAllLanes, bad != 0);
  while (owners != 0) {
    const int owner = __ffs(static_cast<int>(owners)) - 1;
    owners &= owners - 1;
    unsigned marks = __shfl_sync(kAllLanes, bad, owner);
    while (marks != 0) {
      const int bit = __ffs(static_cast<int>(marks)) - 1;
      marks &= marks - 1;
      const int row = row0 + owner / 4 + (bit >> 1 & 1) * 8, col = col0 + owner % 4 * 2 + (bit >> 2) * 8 + (bit & 1);
      const float *x = a + static_cast<size_t>(row) * k, *y = b + col;
      float sum = 0.0f;
#pragma unroll 8
      for (int p = lane; p < k; p += 32) sum = fmaf(x[p], y[static_cast<size_t>(p) * n], sum);
#pragma unroll
      for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(kAllLanes, sum, offset);
      if (lane == owner) c[static_cast<size_t>(row) * n + col] = sum;
    }
  }
}

__global__ void __launch_bounds__(kThreads, 1)
    multiply(const float *a, const float *b, float *c, const uint4 *a_packed, const uint4 *b_packed,
             const float4 *__restrict__ info, int m, int n, int k, int slices, int tiles_m, int tiles_n, int pairs) {
  extern __shared__ __align__(128) uint4 ring[];
  __shared__ __align__(8) unsigned long long full[kStages];
  __shared__ __align__(8) unsigned long long empty[kStages];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, tiles = tiles_m * tiles_n;
  const unsigned full_at = shared_address(full), empty_at = shared_address(empty), ring_at = shared_address(ring);
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      barrier_init(full_at + 8 * i, 1);
      barrier_init(empty_at + 8 * i, kConsumers);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int stage = 0;
  unsigned phase = 0;

  if (warp == kConsumers) {
    if (lane == 0) {
      for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const int2 place = tile_place(tile, tiles_m, tiles_n);
        const uint4 *from_a = a_packed + static_cast<size_t>(place.x) * slices * kAVectors;
        const uint4 *from_b = b_packed + static_cast<size_t>(place.y) * slices * kBVectors;
        for (int slice = 0; slice < slices; ++slice) {
          const unsigned barrier = full_at + 8 * stage, to = ring_at + stage * (kStageVectors * 16);
          barrier_wait(empty_at + 8 * stage, phase ^ 1u);
          barrier_expect(barrier, kStageVectors * 16);
          bulk_copy(to, from_a, kAVectors * 16, barrier);
          bulk_copy(to + kAVectors * 16, from_b, kBVectors * 16, barrier);
          from_a += kAVectors;
          from_b += kBVectors;
          if (++stage == kStages) {
            stage = 0;
            phase ^= 1u;
          }
        }
      }
    }
  } else {
    const int warp_m = warp / 4, warp_n = warp % 4, g = lane / 4, t = lane % 4;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
      const int2 place = tile_place(tile, tiles_m, tiles_n);
      const int strip = (place.y * kTileN + warp_n * kWarpN) / kStrip;
      const float4 *a_info = info + static_cast<size_t>(place.x) * slices;
      const float4 *b_info = info + (static_cast<size_t>(tiles_m) + strip) * slices;
      float bound = 0.0f;  // of what the planes lost, for each element of the warp
      float4 next_a = __ldg(a_info), next_b = __ldg(b_info);
      float acc[4][2 * kPairs][4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
          for (int e = 0; e < 4; ++e) acc[i][j][e] = 0.0f;

      for (int slice = 0; slice < slices; ++slice) {
        const float factor = next_a.x * next_b.x;
        bound += 32.0f * (next_a.y * next_b.z + next_a.z * next_b.y);
        const int next = min(slice + 1, slices - 1);
        next_a = __ldg(a_info + next);
        next_b = __ldg(b_info + next);
        barrier_wait(full_at + 8 * stage, phase);
        __syncwarp();
        const unsigned stage_at = ring_at + stage * (kStageVectors * 16) + lane * 16;
        const unsigned from_a = stage_at + warp_m * 4 * 512;
        const unsigned from_b = stage_at + kAVectors * 16 + warp_n * kPairs * 512;
        unsigned a_part[2][kChain][kPlanes][kRows][4];
        unsigned b_part[kChain][kPlanes][kPartPairs][4];
        load_a(a_part[0], from_a, 0);
#pragma unroll
        for (int turn = 0; turn < kTurns; ++turn) {
          const int first = turn % kRowParts * kRows, part = turn / kRowParts % kParts;
          const int chain = turn / (kRowParts * kParts);
          if (first == 0) {
#pragma unroll
            for (int s = 0; s < kChain; ++s)
#pragma unroll
              for (int p = 0; p < kPlanes; ++p)
#pragma unroll
                for (int pair = 0; pair < kPartPairs; ++pair)
                  load_matrices_transposed(
                      b_part[s][p][pair],
                      from_b + p * (kBPlane * 16) +
                          ((chain * kChain + s) * (kTileN / 16) + part * kPartPairs + pair) * 512);
          }
          if (turn + 1 < kTurns) load_a(a_part[(turn + 1) & 1], from_a, turn + 1);
          if (turn == kLastLoad) {
            // All of this stage is in registers.
            __syncwarp();
            if (lane == 0) barrier_arrive(empty_at + 8 * stage);
          }
          float sum[kRows][2 * kPartPairs][4];
#pragma unroll
          for (int i = 0; i < kRows; ++i)
#pragma unroll
            for (int j = 0; j < 2 * kPartPairs; ++j)
#pragma unroll
              for (int e = 0; e < 4; ++e) sum[i][j][e] = 0.0f;
          // lo * hi, then hi * lo, of the whole chain
#pragma unroll
          for (int product = 0; product < 2; ++product)
#pragma unroll
            for (int s = 0; s < kChain; ++s)
#pragma unroll
              for (int i = 0; i < kRows; ++i)
#pragma unroll
                for (int j = 0; j < 2 * kPartPairs; ++j)
                  mma(sum[i][j], a_part[turn & 1][s][1 - product][i], b_part[s][product][j / 2][j % 2 * 2],
                      b_part[s][product][j / 2][j % 2 * 2 + 1]);
#pragma unroll
          for (int i = 0; i < kRows; ++i)
#pragma unroll
            for (int j = 0; j < 2 * kPartPairs; ++j)
#pragma unroll
              for (int e = 0; e < 4; ++e) sum[i][j][e] *= 0x1p-11f;
          // hi * hi
#pragma unroll
          for (int s = 0; s < kChain; ++s)
#pragma unroll
            for (int i = 0; i < kRows; ++i)
#pragma unroll
              for (int j = 0; j < 2 * kPartPairs; ++j)
                mma(sum[i][j], a_part[turn & 1][s][0][i], b_part[s][0][j / 2][j % 2 * 2],
                    b_part[s][0][j / 2][j % 2 * 2 + 1]);
#pragma unroll
          for (int i = 0; i < kRows; ++i)
#pragma unroll
            for (int j = 0; j < 2 * kPartPairs; ++j)
#pragma unroll
              for (int e = 0; e < 4; ++e)
                acc[first + i][part * 2 * kPartPairs + j][e] =
                    fmaf(sum[i][j][e], factor, acc[first + i][part * 2 * kPartPairs + j][e]);
        }
        if (++stage == kStages) {
          stage = 0;
          phase ^= 1u;
        }
      }

      // With nothing lost only what is not finite is marked; a bound that is not finite marks everything.
      const bool some_lost = bound != 0.0f;
      const float least = bound * 0x1p20f;
      const int row0 = place.x * kTileM + warp_m * 64, col0 = place.y * kTileN + warp_n * kWarpN;
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        unsigned bad = 0;
#pragma unroll
        for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const int row = row0 + g + i * 16 + half * 8, col = col0 + 2 * t + j * 8;
            const float x = acc[i][j][2 * half], y = acc[i][j][2 * half + 1];
            const bool bad_x = not_finite(x) || (some_lost && !(fabsf(x) >= least));
            const bool bad_y = not_finite(y) || (some_lost && !(fabsf(y) >= least));
            if (row < m && col < n) {
              float *to = c + static_cast<size_t>(row) * n + col;
              if (bad_x) bad |= 1u << (4 * j + 2 * half);
              if (pairs) {
                *reinterpret_cast<float2 *>(to) = make_float2(x, y);
                if (bad_y) bad |= 1u << (4 * j + 2 * half + 1);
              } else {
                to[0] = x;
                if (col + 1 < n) {
                  to[1] = y;
                  if (bad_y) bad |= 1u << (4 * j + 2 * half + 1);
                }
              }
            }
          }
        redo_marked(bad, row0 + i * 16, col0, a, b, c, n, k, lane);
      }
      __syncwarp();
    }
  }
}

bool launch(const cupilot::Launch &l, const float *a, const float *b, float *c, int m, int n, int k) {
  if (m < 256 || n < 256 || k < 256) return false;
  if (l.block.x != 16 || l.block.y != 16 || l.block.z != 1) return false;
  const size_t rows = m, cols = n, depth = k;
  if (static_cast<size_t>(l.grid.x) * 16 < cols || static_cast<size_t>(l.grid.y) * 16 < rows) return false;
  if (!l.aligned(4, a, b, c)) return false;
  if (!l.disjoint(c, rows * cols * 4, a, rows * depth * 4) || !l.disjoint(c, rows * cols * 4, b, depth * cols * 4))
    return false;
  const size_t slices = (depth + kSlice - 1) / kSlice;
  const size_t tiles_m = (rows + kTileM - 1) / kTileM, tiles_n = (cols + kTileN - 1) / kTileN;
  const size_t padded_n = (cols + kPadN - 1) / kPadN * kPadN, strips = padded_n / kStrip;
  const size_t a_tiles = tiles_m * slices, pack_blocks = a_tiles + strips * slices, tiles = tiles_m * tiles_n;
  if (pack_blocks > 0x3fffffff || tiles > 0x3fffffff || tiles_n > 0x3ffffff) return false;
  int device = 0, processors = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return false;
  if (cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess || processors < 1)
    return false;
  if (cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kRingBytes) != cudaSuccess)
    return false;
  uint4 *a_packed = static_cast<uint4 *>(l.scratch(a_tiles * kAVectors * 16));
  if (a_packed == nullptr) return false;
  uint4 *b_packed = static_cast<uint4 *>(l.scratch(padded_n * slices * kSlice * 2 * kPlanes));
  if (b_packed == nullptr) return false;
  float4 *info = static_cast<float4 *>(l.scratch(pack_blocks * sizeof(float4)));
  if (info == nullptr) return false;
  const int blocks = tiles < static_cast<size_t>(processors) ? static_cast<int>(tiles) : processors;
  const int pairs = n % 2 == 0 && l.aligned(8, c) ? 1 : 0;
  const int a_vectors = k % 4 == 0 && l.aligned(16, a) ? 1 : 0, b_vectors = n % 4 == 0 && l.aligned(16, b) ? 1 : 0;
  pack<<<static_cast<unsigned>(pack_blocks), kPackThreads, 0, l.stream>>>(
      a, b, a_packed, b_packed, info, m, n, k, static_cast<int>(slices), static_cast<int>(a_tiles), a_vectors, b_vectors);
  multiply<<<blocks, kThreads, kRingBytes, l.stream>>>(a, b, c, a_packed, b_packed, info, m, n, k,
                                                       static_cast<int>(slices), static_cast<int>(tiles_m),
                                                       static_cast<int>(tiles_n), pairs);
  return true;
}
