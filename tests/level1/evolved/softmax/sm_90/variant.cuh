// cupilot variant of softmax for sm_90 (record 3a5320d7): cluster of kCluster blocks keeps its row in dynamic shared memory: one bulk-copied read, one write
// A cluster keeps a row in shared memory: one read, one write.
constexpr int kCluster = 16;  // knob: 8 16
constexpr int kTeam = 512;  // knob: 256 512 1024
constexpr int kBatch = 2;  // knob: 1 2 4

constexpr int kWarps = kTeam / 32;
constexpr int kPiece = kTeam * kBatch;  // float4 a piece
constexpr int kMostPieces = 64;
constexpr int kMostBytes = 220 * 1024;
static_assert(kMostPieces * kPiece * 16 >= kMostBytes, "a barrier for each piece");

extern __shared__ float4 slice_data[];

__device__ __forceinline__ unsigned shared_address(const void *pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void wait_full(unsigned barrier) {
  unsigned ready = 0;
  while (!ready) {
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(ready)
        : "r"(barrier), "r"(0u)
        : "memory");
  }
}

__device__ __forceinline__ unsigned rank_in_cluster() {
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

__device__ __forceinline__ void to_peer(float *mine, unsigned rank, float value) {
  unsigned remote;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(mine)), "r"(rank));
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(remote), "f"(value) : "memory");
}

// Combines (top, sum) over the lanes; a base of 0 where all is -inf, so that nothing becomes NaN by itself.
__device__ __forceinline__ void warp_combined(float &top, float &sum) {
  float most = top;
#pragma unroll
  for (int o = 16; o > 0; o /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, o));
  const float base = most == -INFINITY ? 0.0f : most;
  float all = sum * expf(top - base);
#pragma unroll
  for (int o = 16; o > 0; o /= 2) all += __shfl_xor_sync(0xffffffffu, all, o);
  top = most;
  sum = all;
}

__device__ __forceinline__ float quotient(float value, float by, float inverse) {
  const float first = value * inverse;
  return fmaf(fmaf(-first, by, value), inverse, first);
}

__global__ void __launch_bounds__(kTeam) cluster_rows(const float *x, float *y, int cols, int slice) {
  __shared__ unsigned long long full[kMostPieces];
  __shared__ float warp_tops[kWarps], warp_sums[kWarps];
  __shared__ float block_tops[kCluster], block_sums[kCluster];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32, vectors = cols / 4;
  const int row = blockIdx.x / kCluster, rank = static_cast<int>(rank_in_cluster());
  const int begin = min(vectors, rank * slice), count = min(slice, vectors - begin);
  const float4 *from = reinterpret_cast<const float4 *>(x + static_cast<size_t>(row) * cols) + begin;
  float4 *to = reinterpret_cast<float4 *>(y + static_cast<size_t>(row) * cols) + begin;
  const int pieces = (count + kPiece - 1) / kPiece;

  cluster_arrive();  // every peer has begun, before its shared memory is written
  if (thread == 0) {
    for (int p = 0; p < pieces; ++p)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(full + p)), "r"(1) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    for (int p = 0; p < pieces; ++p) {
      const int first = p * kPiece;
      const unsigned bytes = static_cast<unsigned>(min(kPiece, count - first)) * 16u;
      const unsigned barrier = shared_address(full + p);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       shared_address(slice_data + first)),
                   "l"(from + first), "r"(bytes), "r"(barrier)
                   : "memory");
    }
  }
  __syncthreads();

  float top = -INFINITY, sum = 0.0f;
  for (int p = 0; p < pieces; ++p) {
    wait_full(shared_address(full + p));
    float4 v[kBatch];
    float most = top;
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      const int at = p * kPiece + i * kTeam + thread;
      v[i] = at < count ? slice_data[at] : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i)
      most = fmaxf(most, fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)));
    const float base = most == -INFINITY ? 0.0f : most;
    if (most > top) {
      sum *= expf(top - base);
      top = most;
    }
    float4 part = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      part.x += expf(v[i].x - base);
      part.y += expf(v[i].y - base);
      part.z += expf(v[i].z - base);
      part.w += expf(v[i].w - base);
    }
    sum += (part.x + part.y) + (part.z + part.w);
  }
  warp_combined(top, sum);
  if (lane == 0) {
    warp_tops[warp] = top;
    warp_sums[warp] = sum;
  }
  cluster_wait();
  __syncthreads();
  if (warp == 0) {
    float block_top = lane < kWarps ? warp_tops[lane] : -INFINITY;
    float block_sum = lane < kWarps ? warp_sums[lane] : 0.0f;
    warp_combined(block_top, block_sum);
    if (lane < kCluster) {
      to_peer(block_tops + rank, lane, block_top);
      to_peer(block_sums + rank, lane, block_sum);
    }
    __syncwarp();
  }
  cluster_arrive();
  cluster_wait();
  top = lane < kCluster ? block_tops[lane] : -INFINITY;
  sum = lane < kCluster ? block_sums[lane] : 0.0f;
  warp_combined(top, sum);

  const float inverse = 1.0f / sum;
#pragma unroll 4
  for (int at = thread; at < count; at += kTeam) {
    const float4 v = slice_data[at];
    float4 out;
    out.x = quotient(expf(v.x - top), sum, inverse);
    out.y = quotient(expf(v.y - top), sum, inverse);
    out.z = quotient(expf(v.z - top), sum, inverse);
    out.w = quotient(expf(v.w - top), sum, inverse);
    __stcs(to + at, out);
  }
}

bool launch(const cupilot::Launch &l, const float *x, float *y, int rows, int cols) {
  if (rows <= 0 || rows > 1000000 || cols < 65536 || cols % 4 || !l.aligned(16, x, y)) return false;
  const int slice = (cols / 4 + kCluster - 1) / kCluster;
  if (slice > kMostBytes / 16) return false;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  if (x != y && !l.disjoint(x, bytes, y, bytes)) return false;
  const int shared = slice * 16;
  if (cudaFuncSetAttribute(cluster_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, shared) != cudaSuccess)
    return false;
  if (kCluster > 8 &&
      cudaFuncSetAttribute(cluster_rows, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess)
    return false;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = kCluster;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(rows * kCluster);
  config.blockDim = dim3(kTeam);
  config.dynamicSmemBytes = shared;
  config.stream = l.stream;
  config.attrs = attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, cluster_rows, x, y, cols, slice) == cudaSuccess;
}
