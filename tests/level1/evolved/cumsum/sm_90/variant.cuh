// cupilot variant of cumsum for sm_90 (record d6671a07): block per row, ring of bulk copies in and out, tiles scanned out of shared memory
// A block a row; tiles come and go by bulk copies through a ring in shared memory, scanned in between.
constexpr int kTile = 2048;  // knob: 1024 2048 4096
constexpr int kStages = 4;   // knob: 3 4 6
constexpr int kTeam = 256;
constexpr int kTeamWarps = kTeam / 32;
constexpr int kTileVectors = kTile / 4;
constexpr int kVectors = kTileVectors / kTeam;
constexpr int kRingBytes = kStages * kTile * 4;
static_assert(kVectors >= 1 && kVectors * kTeam * 4 == kTile, "a tile is whole vectors for every thread");
static_assert(kStages >= 2, "a stage is refilled one tile after it was used");

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void barrier_init(unsigned barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
  unsigned done = 0;
  while (!done) {
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, p;\n\t"
        "}"
        : "=r"(done)
        : "r"(barrier), "r"(parity)
        : "memory");
  }
}

__device__ __forceinline__ void bulk_load(unsigned to, const void *from, unsigned bytes, unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(bytes), "r"(barrier)
               : "memory");
}

__device__ __forceinline__ void bulk_store(void *to, unsigned from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

__device__ __forceinline__ unsigned tile_bytes(int tile, int vectors) {
  const int left = vectors - tile * kTileVectors;
  return static_cast<unsigned>(left < kTileVectors ? left : kTileVectors) * 16u;
}

extern __shared__ __align__(128) float4 ring[];

__global__ void __launch_bounds__(kTeam) bulk_scan(const float *x, float *y, int cols) {
  __shared__ __align__(8) unsigned long long full[kStages];
  __shared__ float totals[2][kTeamWarps];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int vectors = cols / 4, tiles = (vectors + kTileVectors - 1) / kTileVectors;
  const size_t begin = static_cast<size_t>(blockIdx.x) * cols;
  const float4 *from = reinterpret_cast<const float4 *>(x + begin);
  float4 *to = reinterpret_cast<float4 *>(y + begin);
  const int mine = warp * (kVectors * 32) + lane;

  if (thread == 0) {
    for (int s = 0; s < kStages; ++s) barrier_init(shared_address(&full[s]));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (thread == 0) {
    for (int t = 0; t < kStages && t < tiles; ++t)
      bulk_load(shared_address(ring + t * kTileVectors), from + static_cast<size_t>(t) * kTileVectors,
                tile_bytes(t, vectors), shared_address(&full[t]));
  }

  float carry = 0.f;
  int stage = 0, before = kStages - 1;  // of this tile and of the one before it
  unsigned parity = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    const int here = vectors - tile * kTileVectors;  // vectors from this tile on
    float4 *buffer = ring + stage * kTileVectors;
    barrier_wait(shared_address(&full[stage]), parity);

    float4 v[kVectors];
    float scan[kVectors];
#pragma unroll
    for (int g = 0; g < kVectors; ++g) {
      const int i = mine + 32 * g;
      v[g] = i < here ? buffer[i] : make_float4(0.f, 0.f, 0.f, 0.f);
      v[g].y += v[g].x;
      v[g].z += v[g].y;
      v[g].w += v[g].z;
      scan[g] = v[g].w;
    }
#pragma unroll
    for (int o = 1; o < 32; o *= 2) {
#pragma unroll
      for (int g = 0; g < kVectors; ++g) {
        const float left = __shfl_up_sync(0xffffffffu, scan[g], o);
        if (lane >= o) scan[g] += left;
      }
    }
    float offset[kVectors];
    float warp_total = 0.f;
#pragma unroll
    for (int g = 0; g < kVectors; ++g) {
      const float left = __shfl_up_sync(0xffffffffu, scan[g], 1);
      const float all = __shfl_sync(0xffffffffu, scan[g], 31);
      offset[g] = warp_total + (lane > 0 ? left : 0.f);
      warp_total += all;
    }

    const int set = tile & 1;
    if (lane == 31) totals[set][warp] = warp_total;
    __syncthreads();
    float sums = lane < kTeamWarps ? totals[set][lane] : 0.f;
#pragma unroll
    for (int o = 1; o < kTeamWarps; o *= 2) {
      const float left = __shfl_up_sync(0xffffffffu, sums, o);
      if (lane >= o) sums += left;
    }
    const float previous = __shfl_sync(0xffffffffu, sums, warp > 0 ? warp - 1 : 0);
    const float tile_total = __shfl_sync(0xffffffffu, sums, kTeamWarps - 1);
    const float base = carry + (warp > 0 ? previous : 0.f);
    carry += tile_total;

#pragma unroll
    for (int g = 0; g < kVectors; ++g) {
      const int i = mine + 32 * g;
      const float add = base + offset[g];
      if (i < here) buffer[i] = make_float4(v[g].x + add, v[g].y + add, v[g].z + add, v[g].w + add);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (thread == 0) {
      bulk_store(to + static_cast<size_t>(tile) * kTileVectors, shared_address(buffer), tile_bytes(tile, vectors));
      const int refill = tile - 1 + kStages;
      if (tile > 0 && refill < tiles) {
        // All groups but the latest have been read: the stage of the tile before is free.
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        bulk_load(shared_address(ring + before * kTileVectors), from + static_cast<size_t>(refill) * kTileVectors,
                  tile_bytes(refill, vectors), shared_address(&full[before]));
      }
    }
    before = stage;
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
  if (thread == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows <= 0 || cols <= 0 || cols % 4 || cols > (1 << 30) || !l.aligned(16, x, y)) return false;
  if (l.grid.x < static_cast<unsigned>(rows) || l.block.x != kThreads) return false;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  if (x != y && !l.disjoint(x, bytes, y, bytes)) return false;
  if (cudaFuncSetAttribute(bulk_scan, cudaFuncAttributeMaxDynamicSharedMemorySize, kRingBytes) != cudaSuccess)
    return false;
  bulk_scan<<<rows, kTeam, kRingBytes, l.stream>>>(x, y, cols);
  return true;
}
