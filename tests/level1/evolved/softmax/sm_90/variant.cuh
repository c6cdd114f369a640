// cupilot variant of softmax for sm_90 (record d542d391): Long row over a cluster of 8, slice split over landing shared memory and registers, 2 blocks an SM; teams for short rows
// The row stays with its owners: a few warps or a block (registers), or a cluster of blocks (registers and shared memory).
constexpr int kTeam = 4;           // knob: 1 2 4 8
constexpr int kTallWarps = 4;      // knob: 4 8
constexpr int kLanded = 14;        // knob: 12 13 14
constexpr int kPieces = 7;         // knob: 2 4 7

constexpr int kCluster = 8;
constexpr int kTallVectors = 1024;                     // float4 of a row, tall path
constexpr int kTallMost = kTallVectors / (32 * kTeam);  // float4 a lane
constexpr int kMiddleWarps = 16;
constexpr int kMiddleVectors = 4096;  // float4 of a row, middle path
constexpr int kSliceVectors = 12288;  // float4 of one block's slice, long path
constexpr int kLongThreads = 512;
constexpr int kLongWarps = kLongThreads / 32;
constexpr int kKept = kSliceVectors / kLongThreads - kLanded;  // float4 a thread in registers; kLanded are in shared memory
constexpr int kPieceVectors = (kLanded + kPieces - 1) / kPieces * kLongThreads;

static_assert(kTallWarps % kTeam == 0, "whole teams in a block");
static_assert(kTallMost % 4 == 0, "a quarter of a lane's vectors is a template value");
static_assert(kSliceVectors % kLongThreads == 0 && kKept > 0, "whole vectors a thread");
static_assert(kPieceVectors * kPieces >= kLanded * kLongThreads, "the pieces cover what lands");
static_assert(kLanded * kLongThreads * 16 <= 112 * 1024, "two blocks on a multiprocessor");

// 16 bytes when index < left, otherwise -infinity.
__device__ __forceinline__ float4 load_piece(const float4 *from, int index, int left) {
  float4 v = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
  asm volatile(
      "{\n\t"
      ".reg .pred inside;\n\t"
      "setp.lt.s32 inside, %5, %6;\n\t"
      "@inside ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];\n\t"
      "}"
      : "+f"(v.x), "+f"(v.y), "+f"(v.z), "+f"(v.w)
      : "l"(from), "r"(index), "r"(left)
      : "memory");
  return v;
}

__device__ __forceinline__ void store_piece(float4 *to, float4 v, int index, int left) {
  asm volatile(
      "{\n\t"
      ".reg .pred inside;\n\t"
      "setp.lt.s32 inside, %5, %6;\n\t"
      "@inside st.global.cs.v4.f32 [%4], {%0, %1, %2, %3};\n\t"
      "}"
      :
      : "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "l"(to), "r"(index), "r"(left)
      : "memory");
}

template <int Threads>
__device__ __forceinline__ void team_barrier(int id) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "n"(Threads) : "memory");
}

__device__ __forceinline__ float warp_top(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, mask));
  return value;
}

__device__ __forceinline__ float warp_sum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

template <int V>
__device__ __forceinline__ float thread_top(const float4 (&v)[V]) {
  float4 top = v[0];
#pragma unroll
  for (int i = 1; i < V; ++i) {
    top.x = fmaxf(top.x, v[i].x);
    top.y = fmaxf(top.y, v[i].y);
    top.z = fmaxf(top.z, v[i].z);
    top.w = fmaxf(top.w, v[i].w);
  }
  return fmaxf(fmaxf(top.x, top.y), fmaxf(top.z, top.w));
}

// Replaces every element by its exponential and returns their sum.
template <int V>
__device__ __forceinline__ float thread_exponentials(float4 (&v)[V], float reference) {
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
  for (int i = 0; i < V; ++i) {
    v[i].x = expf(v[i].x - reference);
    v[i].y = expf(v[i].y - reference);
    v[i].z = expf(v[i].z - reference);
    v[i].w = expf(v[i].w - reference);
    sum.x += v[i].x;
    sum.y += v[i].y;
    sum.z += v[i].z;
    sum.w += v[i].w;
  }
  return (sum.x + sum.y) + (sum.z + sum.w);
}

// Team warps a row, Teams rows a block, V float4 a thread.
template <int Team, int Teams, int V>
__global__ void __launch_bounds__(Team * Teams * 32) team_softmax(const float *x, float *y, int rows, int cols) {
  constexpr int kStep = Team * 32;
  __shared__ float tops[Teams][Team];
  __shared__ float sums[Teams][Team];
  const int thread = threadIdx.x, team = thread / kStep, t = thread % kStep;
  const int warp = t / 32, lane = t % 32;
  const int row = blockIdx.x * Teams + team;
  if (row >= rows) return;  // whole teams only; barriers are a team's own
  const size_t begin = static_cast<size_t>(row) * cols + static_cast<size_t>(t) * 4;
  const float4 *from = reinterpret_cast<const float4 *>(x + begin);
  float4 *to = reinterpret_cast<float4 *>(y + begin);
  const int left = cols / 4 - t;

  float4 v[V];
#pragma unroll
  for (int i = 0; i < V; ++i) v[i] = load_piece(from + i * kStep, i * kStep, left);

  float top = warp_top(thread_top<V>(v));
  if (Team > 1) {
    if (lane == 0) tops[team][warp] = top;
    team_barrier<kStep>(team + 1);
    top = tops[team][0];
#pragma unroll
    for (int w = 1; w < Team; ++w) top = fmaxf(top, tops[team][w]);
  }

  float sum = warp_sum(thread_exponentials<V>(v, top));
  if (Team > 1) {
    if (lane == 0) sums[team][warp] = sum;
    team_barrier<kStep>(team + 1);
    sum = sums[team][0];
#pragma unroll
    for (int w = 1; w < Team; ++w) sum += sums[team][w];
  }

  const float factor = 1.0f / sum;
#pragma unroll
  for (int i = 0; i < V; ++i)
    store_piece(to + i * kStep, make_float4(v[i].x * factor, v[i].y * factor, v[i].z * factor, v[i].w * factor),
                i * kStep, left);
}

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ bool piece_landed(unsigned barrier) {
  unsigned done;
  asm volatile(
      "{\n\t"
      ".reg .pred done;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], 0;\n\t"
      "selp.u32 %0, 1, 0, done;\n\t"
      "}"
      : "=r"(done)
      : "r"(barrier)
      : "memory");
  return done != 0;
}

// Vectors of a slice that go to shared memory; the rest stays in registers.
__host__ __device__ constexpr int landed_vectors(int slice) {
  return slice <= kKept * kLongThreads ? 0 : slice < kLanded * kLongThreads ? slice : kLanded * kLongThreads;
}

// A cluster of blocks a row, a contiguous slice a block: its begin lands in shared memory, its end in registers.
__global__ void __launch_bounds__(kLongThreads, 2) cluster_softmax(const float *x, float *y, int cols) {
  extern __shared__ __align__(128) float4 landing[];
  __shared__ __align__(8) unsigned long long full[kPieces];
  __shared__ float tops[kLongWarps];
  __shared__ float sums[kLongWarps];
  __shared__ __align__(8) float2 pieces[kCluster];
  // Tells the others that this block runs: needed before anyone writes into its shared memory.
  asm volatile("barrier.cluster.arrive.relaxed;" : : : "memory");

  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const int row = blockIdx.x / kCluster;
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const int vectors = cols / 4, slice = (vectors + kCluster - 1) / kCluster;
  const int first = static_cast<int>(rank) * slice;
  const int rest = vectors - first, count = rest < slice ? rest : slice;
  const int most = landed_vectors(slice), landed = most < count ? most : count;
  const int left = count - landed - t;  // of the register part
  const size_t begin = static_cast<size_t>(row) * cols + static_cast<size_t>(first) * 4;

  if (t == 0 && landed > 0) {
#pragma unroll
    for (int p = 0; p < kPieces; ++p)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(shared_address(&full[p])) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#pragma unroll 1
    for (int p = 0; p < kPieces; ++p) {
      const int at = p * kPieceVectors, end = at + kPieceVectors < landed ? at + kPieceVectors : landed;
      if (at >= end) break;
      const unsigned bytes = static_cast<unsigned>(end - at) * 16u, barrier = shared_address(&full[p]);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(barrier), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   :
                   : "r"(shared_address(landing + at)),
                     "l"(__cvta_generic_to_global(x + begin + static_cast<size_t>(at) * 4)), "r"(bytes), "r"(barrier)
                   : "memory");
    }
  }
  __syncwarp();

  float4 v[kKept];
  {
    const float4 *from = reinterpret_cast<const float4 *>(x + begin) + (landed + t);
#pragma unroll
    for (int i = 0; i < kKept; ++i) v[i] = load_piece(from + i * kLongThreads, i * kLongThreads, left);
  }
  __syncthreads();  // the mbarriers are initialised; the loads are still on their way

  // The shared part first: the registers are not looked at before it has landed.
  float4 highest = make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
#pragma unroll 1
  for (int p = 0; p < kPieces; ++p) {
    const int at = p * kPieceVectors, end = at + kPieceVectors < landed ? at + kPieceVectors : landed;
    if (at >= end) break;
    const unsigned barrier = shared_address(&full[p]);
    while (!piece_landed(barrier)) {
    }
#pragma unroll 2
    for (int i = at + t; i < end; i += kLongThreads) {
      const float4 u = landing[i];
      highest.x = fmaxf(highest.x, u.x);
      highest.y = fmaxf(highest.y, u.y);
      highest.z = fmaxf(highest.z, u.z);
      highest.w = fmaxf(highest.w, u.w);
    }
  }
  float top = fmaxf(fmaxf(highest.x, highest.y), fmaxf(highest.z, highest.w));
  top = warp_top(fmaxf(top, thread_top<kKept>(v)));
  if (lane == 0) tops[warp] = top;
  __syncthreads();
  top = tops[0];
#pragma unroll
  for (int w = 1; w < kLongWarps; ++w) top = fmaxf(top, tops[w]);

  // A slice of only -infinity adds nothing. A vector in shared memory has one thread that reads and writes it.
  const float reference = top == -INFINITY ? 0.0f : top;
  float part = thread_exponentials<kKept>(v, reference);
  {
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 1
    for (int i = t; i < landed; i += kLongThreads) {
      float4 u = landing[i];
      u.x = expf(u.x - reference);
      u.y = expf(u.y - reference);
      u.z = expf(u.z - reference);
      u.w = expf(u.w - reference);
      landing[i] = u;
      sum.x += u.x;
      sum.y += u.y;
      sum.z += u.z;
      sum.w += u.w;
    }
    part += (sum.x + sum.y) + (sum.z + sum.w);
  }
  part = warp_sum(part);
  if (lane == 0) sums[warp] = part;
  __syncthreads();

  asm volatile("barrier.cluster.wait;" : : : "memory");  // all blocks run
  if (t < kCluster) {
    float sum = sums[0];
#pragma unroll
    for (int w = 1; w < kLongWarps; ++w) sum += sums[w];
    const unsigned here = static_cast<unsigned>(__cvta_generic_to_shared(&pieces[rank]));
    asm volatile(
        "{\n\t"
        ".reg .b32 there;\n\t"
        "mapa.shared::cluster.u32 there, %0, %1;\n\t"
        "st.shared::cluster.v2.f32 [there], {%2, %3};\n\t"
        "}"
        :
        : "r"(here), "r"(t), "f"(top), "f"(sum)
        : "memory");
  }
  __syncwarp();
  asm volatile("barrier.cluster.arrive.release;" : : : "memory");
  asm volatile("barrier.cluster.wait.acquire;" : : : "memory");

  float row_top = pieces[0].x;
#pragma unroll
  for (int r = 1; r < kCluster; ++r) row_top = fmaxf(row_top, pieces[r].x);
  // A row of only -infinity: -inf - -inf makes the sum, and so the row, NaN, as in the original.
  float row_sum = 0.0f;
#pragma unroll
  for (int r = 0; r < kCluster; ++r) row_sum += pieces[r].y * expf(pieces[r].x - row_top);
  const float factor = expf(top - row_top) / row_sum;

  float4 *to = reinterpret_cast<float4 *>(y + begin);
#pragma unroll
  for (int i = 0; i < kKept; ++i)
    store_piece(to + (landed + t) + i * kLongThreads,
                make_float4(v[i].x * factor, v[i].y * factor, v[i].z * factor, v[i].w * factor),
                i * kLongThreads, left);
#pragma unroll 2
  for (int i = t; i < landed; i += kLongThreads) {
    const float4 u = landing[i];
    __stcs(to + i, make_float4(u.x * factor, u.y * factor, u.z * factor, u.w * factor));
  }
  // Nobody touches another block's shared memory after the barrier: a block may finish alone.
}

template <int Team, int Teams, int V>
void queue_teams(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  team_softmax<Team, Teams, V><<<(rows + Teams - 1) / Teams, Team * Teams * 32, 0, l.stream>>>(x, y, rows, cols);
}

inline bool queue_clusters(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  const int bytes = landed_vectors((cols / 4 + kCluster - 1) / kCluster) * 16;
  if (cudaFuncSetAttribute(cluster_softmax, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
    return false;
  // Two blocks need nearly all of a multiprocessor's shared memory.
  if (cudaFuncSetAttribute(cluster_softmax, cudaFuncAttributePreferredSharedMemoryCarveout, 100) != cudaSuccess)
    return false;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = kCluster;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(rows) * kCluster);
  config.blockDim = dim3(kLongThreads);
  config.dynamicSmemBytes = bytes;
  config.stream = l.stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, cluster_softmax, x, y, cols) == cudaSuccess;
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows <= 0 || cols <= 0 || cols % 4 || rows > (1 << 27)) return false;
  if (cols > 4 * kCluster * kSliceVectors || !l.aligned(16, x, y)) return false;
  if (l.grid.x < static_cast<unsigned>(rows) || l.block.x != static_cast<unsigned>(kThreads)) return false;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  if (x != y && !l.disjoint(x, bytes, y, bytes)) return false;

  const int vectors = cols / 4;
  if (vectors <= kTallVectors) {
    constexpr int kTeams = kTallWarps / kTeam;
    const int each = (vectors + 32 * kTeam - 1) / (32 * kTeam);
    if (each <= kTallMost / 4)
      queue_teams<kTeam, kTeams, kTallMost / 4>(l, x, y, rows, cols);
    else if (each <= kTallMost / 2)
      queue_teams<kTeam, kTeams, kTallMost / 2>(l, x, y, rows, cols);
    else
      queue_teams<kTeam, kTeams, kTallMost>(l, x, y, rows, cols);
    return true;
  }
  if (vectors <= kMiddleVectors) {
    if (vectors <= kMiddleVectors / 2)
      queue_teams<kMiddleWarps, 1, 4>(l, x, y, rows, cols);
    else
      queue_teams<kMiddleWarps, 1, 8>(l, x, y, rows, cols);
    return true;
  }
  return queue_clusters(l, x, y, rows, cols);
}
