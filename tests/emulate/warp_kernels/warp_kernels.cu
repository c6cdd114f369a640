// SPDX-License-Identifier: Apache-2.0
// Kernels as people write them around the warp's own instructions: cooperative groups, tensor cores,
// pipelines, barriers, atomics. Each has its reference in warp_kernels_test.cpp.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
using namespace nvcuda;

// ---- groups: out[block] = sum, out[8 + thread] = ...

extern "C" __global__ void group_reduce(const int *x, int *out) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(block);
  const int v = x[blockIdx.x * blockDim.x + threadIdx.x];
  const int sum = cg::reduce(warp, v, cg::plus<int>());
  const int largest = cg::reduce(tile, v, cg::greater<int>());
  const int before = cg::exclusive_scan(tile, v);
  int *mine = out + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  mine[0] = sum;
  mine[1] = largest;
  mine[2] = before;
  mine[3] = tile.shfl_xor(v, 3) + static_cast<int>(tile.meta_group_rank());
}

extern "C" __global__ void group_coalesced(const int *x, int *out, int *counter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = -1;
  if (x[i] % 3 == 0) {
    auto active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(counter, static_cast<int>(active.size()));
    base = active.shfl(base, 0);
    out[i] = cg::reduce(active, x[i], cg::plus<int>()) + 0 * base;
  } else {
    auto active = cg::coalesced_threads();
    auto parts = cg::labeled_partition(active, x[i] % 2);
    out[i] = static_cast<int>(parts.size()) * 1000 + static_cast<int>(parts.thread_rank());
  }
}

extern "C" __global__ void warp_votes(const int *x, unsigned *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  const unsigned even = __ballot_sync(0xffffffffu, v % 2 == 0);
  unsigned r =
      even + __popc(__match_any_sync(0xffffffffu, v % 4)) + (__any_sync(0xffffffffu, v == 7) ? 1000u : 0u);
  int same = 0;
  r += __match_all_sync(0xffffffffu, v / 100000, &same) != 0 && same ? 5u : 0u;
  out[i] = r + __reduce_max_sync(0xffffffffu, static_cast<unsigned>(v)) +
           static_cast<unsigned>(__shfl_up_sync(0xffffffffu, v, 1, 16));
}

// ---- tensor cores: c = a * b; a is m x k, b is k x n, all row-major

template <typename T, typename C>
__device__ void wmma_gemm_tile(const T *a, const T *b, C *c, int n, int k) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, T, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, C> fc;
  wmma::fill_fragment(fc, static_cast<C>(0));
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + column, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] = fc.x[i] * static_cast<C>(2);
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}
extern "C" __global__ void wmma_half(const half *a, const half *b, float *c, int n, int k) {
  wmma_gemm_tile(a, b, c, n, k);
}
extern "C" __global__ void wmma_bfloat(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n,
                                       int k) {
  wmma_gemm_tile(a, b, c, n, k);
}
extern "C" __global__ void wmma_bytes(const signed char *a, const signed char *b, int *c, int n, int k) {
  wmma_gemm_tile(a, b, c, n, k);
}

extern "C" __global__ void wmma_tensor_float(const float *a, const float *b, float *c, int n, int k) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int i = 0; i < k; i += 8) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + column, n);
    for (int j = 0; j < fa.num_elements; ++j) fa.x[j] = wmma::__float_to_tf32(fa.x[j]);
    for (int j = 0; j < fb.num_elements; ++j) fb.x[j] = wmma::__float_to_tf32(fb.x[j]);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void wmma_double(const double *a, const double *b, double *c, int n, int k) {
  const int row = blockIdx.y * 8, column = blockIdx.x * 8;
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
  wmma::fill_fragment(fc, 0.0);
  for (int i = 0; i < k; i += 4) {
    wmma::load_matrix_sync(fa, a + row * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + column, n);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

// A warp computes 16 x 8 of c out of shared tiles that arrive by cp.async, two in flight.
extern "C" __global__ void mma_pipelined(const half *a, const half *b, float *c, int n, int k) {
  __shared__ __align__(16) half as[2][16 * 16], bs[2][16 * 8];
  const int lane = threadIdx.x, row = blockIdx.y * 16, column = blockIdx.x * 8;
  const auto fetch = [&](int stage, int at) {
    __pipeline_memcpy_async(&as[stage][lane * 8], a + (row + lane / 2) * k + at + lane % 2 * 8, 16);
    if (lane < 16) __pipeline_memcpy_async(&bs[stage][lane * 8], b + (at + lane) * n + column, 16);
    __pipeline_commit();
  };
  float d[4] = {};
  fetch(0, 0);
  for (int at = 0, stage = 0; at < k; at += 16, stage ^= 1) {
    if (at + 16 < k) {
      fetch(stage ^ 1, at + 16);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    unsigned fa[4], fb[2];
    const unsigned pa =
        static_cast<unsigned>(__cvta_generic_to_shared(&as[stage][lane % 16 * 16 + lane / 16 * 8]));
    const unsigned pb = static_cast<unsigned>(__cvta_generic_to_shared(&bs[stage][lane % 16 * 8]));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(fb[0]), "=r"(fb[1])
                 : "r"(pb));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
    __syncthreads();
  }
  float *to = c + (row + lane / 4) * n + column + lane % 4 * 2;
  to[0] = d[0];
  to[1] = d[1];
  to[8 * n] = d[2];
  to[8 * n + 1] = d[3];
}

// ---- asynchronous copies and barriers: out = neighbour's tile element times two

extern "C" __global__ void block_barrier(const int *x, int *out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(barrier) char storage[sizeof(barrier)];
  auto &ready = reinterpret_cast<barrier &>(storage);
  __shared__ alignas(16) int tile[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, x + blockIdx.x * 128, cuda::aligned_size_t<16>(sizeof tile), ready);
  ready.arrive_and_wait();
  out[blockIdx.x * 128 + threadIdx.x] = 2 * tile[127 - threadIdx.x];
}

extern "C" __global__ void block_pipeline(const int *x, int *out, int rounds) {
  constexpr int kStages = 2;
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, kStages>;
  __shared__ alignas(State) char storage[sizeof(State)];
  auto &state = reinterpret_cast<State &>(storage);
  if (threadIdx.x == 0) new (storage) State;
  __syncthreads();
  __shared__ alignas(16) int tiles[kStages][64];
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int fetched = 0, sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (; fetched < rounds && fetched < round + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[fetched % kStages], x + fetched * 64, sizeof(int) * 64, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum += tiles[round % kStages][63 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = 2 * sum;
}

extern "C" __global__ void group_copy(const int *x, int *out) {
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, x + blockIdx.x * 128, sizeof tile);
  cg::wait(block);
  out[blockIdx.x * 128 + threadIdx.x] = 2 * tile[127 - threadIdx.x];
}

// A warp fetches tiles in bulk, three others add them up: full and empty barriers for two tiles.
extern "C" __global__ void specialised_warps(const int *x, int *out, int rounds) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  constexpr int kTiles = 2, kTile = 96;
  __shared__ alignas(barrier) char storage[2 * kTiles * sizeof(barrier)];
  __shared__ alignas(16) int tiles[kTiles][kTile];
  barrier *full = reinterpret_cast<barrier *>(storage), *empty = full + kTiles;
  if (threadIdx.x == 0) {
    for (int i = 0; i < kTiles; ++i) {
      init(full + i, 1 + kTile);
      init(empty + i, 1 + kTile);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x >= kTile) {
    if (threadIdx.x != kTile) return;
    for (int round = 0; round < rounds; ++round) {
      const int i = round % kTiles;
      if (round >= kTiles) empty[i].arrive_and_wait();
      cuda::device::memcpy_async_tx(tiles[i], x + round * kTile, cuda::aligned_size_t<16>(sizeof tiles[i]),
                                    full[i]);
      (void)cuda::device::barrier_arrive_tx(full[i], 1, sizeof tiles[i]);
    }
    return;
  }
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int i = round % kTiles;
    full[i].arrive_and_wait();
    sum += tiles[i][kTile - 1 - threadIdx.x];
    if (round + kTiles < rounds) (void)empty[i].arrive();
  }
  out[threadIdx.x] = sum;
}

// ---- atomics with orders: a ticket lock between warps, and a count that the last one publishes

extern "C" __global__ void ordered_atomics(const int *x, int *sum, int *lock, unsigned *done,
                                           int *published) {
  if (threadIdx.x % 32 == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> guard(*lock);
    int free = 0;
    while (!guard.compare_exchange_strong(free, 1, cuda::memory_order_acquire)) free = 0;
    *sum += x[blockIdx.x * blockDim.x + threadIdx.x];
    guard.store(0, cuda::memory_order_release);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> finished(*done);
    if (finished.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) *published = *sum;
  }
}

// ---- atomics of many types: out[0..7] are sums over all threads of x

extern "C" __global__ void atomic_types(const int *x, int *ints, unsigned long long *longs, float *floats,
                                        double *doubles, __half2 *halves, __nv_bfloat162 *bfloats) {
  const int v = x[blockIdx.x * blockDim.x + threadIdx.x] % 5;
  __shared__ int shared_sum;
  if (threadIdx.x == 0) shared_sum = 0;
  __syncthreads();
  atomicAdd(&shared_sum, v);
  atomicMax(ints + 1, v + static_cast<int>(threadIdx.x));
  atomicMin(ints + 2, -v);
  atomicOr(ints + 3, 1 << (v & 31));
  atomicAdd(longs, static_cast<unsigned long long>(v) << 33);
  atomicAdd(floats, static_cast<float>(v));
  atomicAdd(doubles, 0.5 * v);
  if (threadIdx.x < 16) atomicAdd(halves, __floats2half2_rn(1.0f, 2.0f));
  if (threadIdx.x < 16) atomicAdd(bfloats, __floats2bfloat162_rn(1.0f, 2.0f));
  int seen = *static_cast<volatile int *>(ints + 4);
  int assumed;
  do {
    assumed = seen;
    seen = atomicCAS(ints + 4, assumed, assumed + v);
  } while (seen != assumed);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(ints, shared_sum);
}
