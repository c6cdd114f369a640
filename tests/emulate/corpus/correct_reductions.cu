// SPDX-License-Identifier: Apache-2.0
// Sums, maxima and scans in the ways people write them.

__device__ __forceinline__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

// run: sum_interleaved<<<4, 256>>>(f32[1024] random, f32[4]) = block_sums
extern "C" __global__ void sum_interleaved(const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// run: sum_strided_index<<<4, 256>>>(f32[1024] random, f32[4]) = block_sums
extern "C" __global__ void sum_strided_index(const float *x, float *sums) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int at = 2 * d * t;
    if (at < blockDim.x) s[at] += s[at + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// run: sum_sequential<<<4, 128>>>(f32[512] random, f32[4]) = block_sums
extern "C" __global__ void sum_sequential(const float *x, float *sums) {
  extern __shared__ float unused[];
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

// run: sum_first_add<<<4, 128>>>(f32[1024] random, f32[4]) = block_sums
extern "C" __global__ void sum_first_add(const float *x, float *sums) {
  __shared__ float s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float mine = x[i] + x[i + blockDim.x];
  s[t] = mine;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = mine = mine + s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = mine;
}

// run: sum_unrolled_warp<<<2, 256>>>(f32[512] random, f32[2]) = block_sums
extern "C" __global__ void sum_unrolled_warp(const float *x, float *sums) {
  __shared__ volatile float s[256];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  if (t < 128) s[t] = s[t] + s[t + 128];
  __syncthreads();
  if (t < 64) s[t] = s[t] + s[t + 64];
  __syncthreads();
  if (t < 32) {
    float v = s[t];
    v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[(t + 16) & 31]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[(t + 8) & 31]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[(t + 4) & 31]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[(t + 2) & 31]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[(t + 1) & 31];
    if (t == 0) sums[blockIdx.x] = v;
  }
}

// run: sum_by_shuffles<<<4, 256>>>(f32[1024] random, f32[4]) = block_sums
extern "C" __global__ void sum_by_shuffles(const float *x, float *sums) {
  __shared__ float partial[32];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  float v = warp_sum(x[blockIdx.x * blockDim.x + t]);
  if (lane == 0) partial[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = lane < blockDim.x / 32 ? partial[lane] : 0;
    v = warp_sum(v);
    if (lane == 0) sums[blockIdx.x] = v;
  }
}

// run: sum_butterfly<<<8, 32>>>(f32[256] random, f32[8]) = block_sums
extern "C" __global__ void sum_butterfly(const float *x, float *sums) {
  float v = x[blockIdx.x * 32 + threadIdx.x];
  for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 31) sums[blockIdx.x] = v;
}

// run: sum_wide_loads<<<2, 128>>>(f32[1024] random, f32[2]) = block_sums
extern "C" __global__ void sum_wide_loads(const float4 *x, float *sums) {
  __shared__ float partial[4];
  float4 v = x[blockIdx.x * blockDim.x + threadIdx.x];
  float s = warp_sum((v.x + v.y) + (v.z + v.w));
  if ((threadIdx.x & 31) == 0) partial[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}

// run: sum_atomic_per_block<<<4, 256>>>(f32[2000] random, f32[1] zero, i32 2000) = total
extern "C" __global__ void sum_atomic_per_block(const float *x, float *sum, int n) {
  __shared__ float s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = warp_sum(v);
  if ((threadIdx.x & 31) == 0) atomicAdd(&s, v);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, s);
}

// run: sum_atomic_per_thread<<<4, 100>>>(i32[400] random, i32[1] zero, i32 400) = total_int
extern "C" __global__ void sum_atomic_per_thread(const int *x, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

// run: sum_reduce_instruction<<<2, 64>>>(i32[128] random, i32[1] zero, i32 128) = total_int
extern "C" __global__ void sum_reduce_instruction(const int *x, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = __reduce_add_sync(0xffffffffu, i < n ? x[i] : 0);
  if ((threadIdx.x & 31) == 0) atomicAdd(sum, v);
}

__device__ unsigned finished = 0;
// run: sum_last_block<<<8, 64>>>(f32[512] random, f32[8], f32[1], i32 512) = last_block twice
extern "C" __global__ void sum_last_block(const float *x, float *partial, float *sum, int n) {
  __shared__ float s[64];
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  if (t == 0) {
    float all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];
    *sum = all;
  }
}

__device__ unsigned finished_wide = 0;
// run: sum_last_block_all_threads<<<8, 64>>>(f32[512] random, f32[8], f32[1], i32 512) = last_block
extern "C" __global__ void sum_last_block_all_threads(const float *x, volatile float *partial, float *sum, int n) {
  __shared__ bool last;
  __shared__ float halves[2];
  int t = threadIdx.x;
  float v = warp_sum(x[blockIdx.x * 64 + t]);
  if ((t & 31) == 0) halves[t >> 5] = v;
  __syncthreads();
  if (t == 0) {
    partial[blockIdx.x] = halves[0] + halves[1];
    __threadfence();
    last = atomicAdd(&finished_wide, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t < 32) {
    v = t < gridDim.x ? partial[t] : 0.f;
    v = warp_sum(v);
    if (t == 0) *sum = v;
  }
}

template <int kThreads>
__global__ void sum_template(const double *x, double *sums) {
  __shared__ double s[kThreads];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * kThreads + t];
  __syncthreads();
#pragma unroll
  for (int d = kThreads / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}
// run: sum_template<<<4, 128>>>(f64[512] random, f64[4]) = block_sums
template __global__ void sum_template<128>(const double *, double *);

// run: max_atomic<<<4, 64>>>(i32[250] random, i32[1] value -1, i32 250) = maximum
extern "C" __global__ void max_atomic(const int *x, int *most, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(most, x[i]);
}

// run: argmax_packed<<<4, 64>>>(f32[256] random, u64[1] zero, i32[1], i32 256) = argmax
__device__ unsigned argmax_done = 0;
extern "C" __global__ void argmax_packed(const float *x, unsigned long long *best, int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned bits = __float_as_uint(x[i]);
  bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
  unsigned long long packed = (unsigned long long)bits << 32 | (0xffffffffu - i);
  atomicMax(best, packed);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&argmax_done, 1) == gridDim.x - 1) {
    __threadfence();
    *where = 0xffffffffu - (unsigned)atomicMax(best, 0ull);
  }
}

// run: dot_product<<<1, 256>>>(f32[600] random, f32[600] random, f32[1], i32 600) = dot
extern "C" __global__ void dot_product(const float *a, const float *b, float *result, int n) {
  __shared__ float s[8];
  float v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v = fmaf(a[i], b[i], v);
  v = warp_sum(v);
  if ((threadIdx.x & 31) == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = warp_sum(threadIdx.x < 8 ? s[threadIdx.x] : 0.f);
    if (threadIdx.x == 0) *result = v;
  }
}

// run: rows_by_thread<<<1, 64>>>(f32[3200] random, f32[64], i32 50) = row_sums
extern "C" __global__ void rows_by_thread(const float *x, float *sums, int columns) {
  float v = 0;
  for (int c = 0; c < columns; ++c) v += x[threadIdx.x * columns + c];
  sums[threadIdx.x] = v;
}

// run: rows_by_warp<<<8, 32x8>>>(f32[3200] random, f32[64], i32 50) = row_sums
extern "C" __global__ void rows_by_warp(const float *x, float *sums, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float v = 0;
  for (int c = threadIdx.x; c < columns; c += 32) v += x[row * columns + c];
  v = warp_sum(v);
  if (threadIdx.x == 0) sums[row] = v;
}

// run: count_by_ballot<<<4, 96>>>(i32[384] random, i32[1] zero, i32 384) = count_large
extern "C" __global__ void count_by_ballot(const int *x, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned votes = __ballot_sync(0xffffffffu, x[i] > 50);
  if ((threadIdx.x & 31) == 0) atomicAdd(count, __popc(votes));
}

// run: count_by_barrier<<<4, 96>>>(i32[384] random, i32[1] zero, i32 384) = count_large
extern "C" __global__ void count_by_barrier(const int *x, int *count, int n) {
  int c = __syncthreads_count(x[blockIdx.x * blockDim.x + threadIdx.x] > 50);
  if (threadIdx.x == 0) atomicAdd(count, c);
}

// run: count_aggregated<<<4, 100>>>(i32[400] random, i32[1] zero, i32 400) = count_large
extern "C" __global__ void count_aggregated(const int *x, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 50) {
    unsigned members = __activemask();
    if ((threadIdx.x & 31) == __ffs(members) - 1) atomicAdd(count, __popc(members));
  }
}

// run: any_and_all<<<1, 128>>>(i32[128] random, i32[2]) = any_all
extern "C" __global__ void any_and_all(const int *x, int *y) {
  int any = __syncthreads_or(x[threadIdx.x] > 95);
  int all = __syncthreads_and(x[threadIdx.x] >= 0);
  if (threadIdx.x == 0) {
    y[0] = any != 0;
    y[1] = all != 0;
  }
}

// run: mean_and_variance<<<4, 32>>>(f32[512] random, f32[8], i32 128) = mean_variance ~1e-5
extern "C" __global__ void mean_and_variance(const float *x, float *y, int columns) {
  float mean = 0, m2 = 0;
  int count = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    float v = x[blockIdx.x * columns + c], delta = v - mean;
    mean += delta / ++count;
    m2 += delta * (v - mean);
  }
  for (int d = 16; d > 0; d /= 2) {
    float other = __shfl_xor_sync(0xffffffffu, mean, d), other2 = __shfl_xor_sync(0xffffffffu, m2, d);
    float delta = other - mean;
    mean = 0.5f * (mean + other);
    m2 += other2 + delta * delta * count * 0.5f;
    count *= 2;
  }
  if (threadIdx.x == 0) {
    y[2 * blockIdx.x] = mean;
    y[2 * blockIdx.x + 1] = m2 / count;
  }
}

// ---- scans

// run: scan_hillis_steele<<<2, 128>>>(i32[256] random, i32[256]) = block_scan
extern "C" __global__ void scan_hillis_steele(const int *x, int *y) {
  __shared__ int s[2][128];
  int t = threadIdx.x, now = 0;
  s[0][t] = x[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
    now = 1 - now;
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = s[now][t];
}

// run: scan_blelloch<<<2, 64>>>(i32[256] random, i32[256]) = block_scan_exclusive
extern "C" __global__ void scan_blelloch(const int *x, int *y) {
  __shared__ int s[128];
  int t = threadIdx.x, base = blockIdx.x * 128, d = 1;
  s[2 * t] = x[base + 2 * t];
  s[2 * t + 1] = x[base + 2 * t + 1];
  for (int active = 64; active > 0; active /= 2, d *= 2) {
    __syncthreads();
    if (t < active) s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
  }
  if (t == 0) s[127] = 0;
  for (int active = 1; active < 128; active *= 2) {
    d /= 2;
    __syncthreads();
    if (t < active) {
      int left = d * (2 * t + 1) - 1, right = d * (2 * t + 2) - 1, v = s[left];
      s[left] = s[right];
      s[right] += v;
    }
  }
  __syncthreads();
  y[base + 2 * t] = s[2 * t];
  y[base + 2 * t + 1] = s[2 * t + 1];
}

__device__ __forceinline__ int warp_scan(int v) {
  int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += other;
  }
  return v;
}

// run: scan_by_warps<<<2, 256>>>(i32[512] random, i32[512]) = block_scan
extern "C" __global__ void scan_by_warps(const int *x, int *y) {
  __shared__ int ends[8];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5;
  int v = warp_scan(x[blockIdx.x * 256 + t]);
  if (lane == 31) ends[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int e = warp_scan(lane < 8 ? ends[lane] : 0);
    if (lane < 8) ends[lane] = e;
  }
  __syncthreads();
  y[blockIdx.x * 256 + t] = v + (warp > 0 ? ends[warp - 1] : 0);
}

// Status in the upper half: 1 aggregate, 2 prefix.
// run: scan_decoupled_lookback<<<8, 64>>>(i32[512] random, i32[512], u64[8] zero, u32[1] zero) = lookback resident 2
extern "C" __global__ void scan_decoupled_lookback(const int *x, int *y, volatile unsigned long long *status,
                                                   unsigned *ticket) {
  __shared__ int block, before, half;
  if (threadIdx.x == 0) block = atomicAdd(ticket, 1);
  __syncthreads();
  int t = threadIdx.x, v = warp_scan(x[block * 64 + t]);
  if (t == 31) half = v;
  __syncthreads();
  if (t >= 32) v += half;
  if (t == 63) {
    int sum = v, prefix = 0;
    if (block == 0) {
      status[0] = 2ull << 32 | (unsigned)sum;
    } else {
      status[block] = 1ull << 32 | (unsigned)sum;
      for (int at = block - 1;;) {
        unsigned long long s = status[at];
        if (s >> 32 == 0) continue;
        prefix += (int)(unsigned)s;
        if (s >> 32 == 2) break;
        --at;
      }
      status[block] = 2ull << 32 | (unsigned)(prefix + sum);
    }
    before = prefix;
  }
  __syncthreads();
  y[block * 64 + t] = v + before;
}

// run: compact_by_ballot<<<1, 128>>>(i32[128] random, i32[128] ignore, i32[1]) = count_compacted
extern "C" __global__ void compact_by_ballot(const int *x, int *y, int *count) {
  __shared__ int offsets[5];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5, v = x[t];
  unsigned keep = __ballot_sync(0xffffffffu, v > 50);
  if (t == 0) offsets[0] = 0;
  if (lane == 0) offsets[warp + 1] = __popc(keep);
  __syncthreads();
  if (t == 0)
    for (int w = 1; w <= 4; ++w) offsets[w] += offsets[w - 1];
  __syncthreads();
  if (v > 50) y[offsets[warp] + __popc(keep & ((1u << lane) - 1))] = v;
  if (t == 0) *count = offsets[4];
}

// run: segmented_scan<<<1, 32>>>(i32[32] random, i32[32] mod 3, i32[32]) = segmented
extern "C" __global__ void segmented_scan(const int *x, const int *head, int *y) {
  int lane = threadIdx.x, v = x[lane];
  unsigned heads = __ballot_sync(0xffffffffu, head[lane] == 0) | 1u;
  int first = 31 - __clz(heads & (0xffffffffu >> (31 - lane)));
  for (int d = 1; d < 32; d *= 2) {
    int other = __shfl_up_sync(0xffffffffu, v, d);
    if (lane - d >= first) v += other;
  }
  y[lane] = v;
}

// run: sum_between_two_arrays<<<2, 256>>>(f32[512] random, f32[2]) = block_sums
extern "C" __global__ void sum_between_two_arrays(const float *x, float *sums) {
  __shared__ float one[256], other[256];
  float *from = one, *to = other;
  int t = threadIdx.x;
  from[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) to[t] = from[t] + from[t + d];
    __syncthreads();
    float *last = from;
    from = to;
    to = last;
  }
  if (t == 0) sums[blockIdx.x] = from[0];
}

// run: sum_in_parts_of_one_array<<<2, 256, 2048>>>(f32[512] random, f32[2]) = block_sums
extern "C" __global__ void sum_in_parts_of_one_array(const float *x, float *sums) {
  extern __shared__ float parts_of_it[];
  __shared__ float in_front[32];
  float *values = parts_of_it, *partial = parts_of_it + 256;
  int t = threadIdx.x;
  values[t] = x[blockIdx.x * 256 + t];
  if (t < 32) in_front[t] = 0;
  __syncthreads();
  if (t < 32) {
    float v = in_front[31 - t];
    for (int i = t; i < 256; i += 32) v += values[i];
    partial[t] = v;
  }
  __syncthreads();
  if (t == 0) {
    float v = 0;
    for (int i = 0; i < 32; ++i) v += values[256 + i];
    sums[blockIdx.x] = v;
  }
}

// run: sum_after_a_flag_of_a_lane<<<2, 256>>>(f32[512] random, f32[2]) = block_sums
extern "C" __global__ void sum_after_a_flag_of_a_lane(const float *x, float *sums) {
  __shared__ float s[256], total;
  __shared__ volatile int ready;
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 256 + t];
  if (t == 0) ready = 0;
  __syncthreads();
  if (t == 7) {
    float v = 0;
    for (int i = 0; i < 256; ++i) v += s[i];
    total = v;
    __threadfence_block();
    ready = 1;
  }
  while (!ready) {
  }
  if (t == 0) sums[blockIdx.x] = total;
}
