// SPDX-License-Identifier: Apache-2.0
// Memory that nobody wrote, and scratch memory that is taken for more than it is.

// ---- global memory

// run: accumulate_into_fresh<<<2, 64>>>(f32[128] random, f32[128])
extern "C" __global__ void accumulate_into_fresh(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] += x[i];  // expect: uninitialised-read
}

// run: half_of_the_table<<<1, 64>>>(i32[64] random, i32[64], i32[64])
extern "C" __global__ void half_of_the_table(const int *x, int *table, int *y) {
  if (threadIdx.x < 32) table[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = table[63 - threadIdx.x];  // expect: uninitialised-read
}

// run: counter_not_cleared<<<2, 32>>>(i32[64] random, i32[1])
extern "C" __global__ void counter_not_cleared(const int *x, int *count) {
  if (x[blockIdx.x * 32 + threadIdx.x] > 50) atomicAdd(count, 1);  // expect: uninitialised-read
}

// run: gaps_between_rows<<<1, 32>>>(f32[30] random, f32[32], f32[8])
extern "C" __global__ void gaps_between_rows(const float *x, float *padded, float *y) {
  if (threadIdx.x < 30) padded[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  if (threadIdx.x < 8) {
    float4 v = reinterpret_cast<const float4 *>(padded)[threadIdx.x];  // expect: uninitialised-read
    y[threadIdx.x] = v.x + v.y + v.z + v.w;
  }
}

// run: heap_not_filled<<<1, 1>>>(i32[2] mod 2, i32[4])
extern "C" __global__ void heap_not_filled(const int *where, int *y) {
  int *list = static_cast<int *>(malloc(4 * sizeof(int)));
  list[where[0]] = 5;
  list[where[1] + 2] = 7;
  for (int k = 0; k < 4; ++k) y[k] = list[k];  // expect: uninitialised-read
  free(list);
}

// run: input_and_output_swapped<<<1, 64>>>(f32[64], f32[64] random)
extern "C" __global__ void input_and_output_swapped(const float *x, float *y) {
  y[threadIdx.x] = 2 * x[threadIdx.x];  // expect: uninitialised-read
}

// ---- shared memory

// run: tail_of_tile<<<1, 128>>>(f32[100] random, f32[1], i32 100)
extern "C" __global__ void tail_of_tile(const float *x, float *sum, int n) {
  __shared__ float s[128];
  int t = threadIdx.x;
  if (t < n) s[t] = x[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];  // expect: uninitialised-read
    __syncthreads();
  }
  if (t == 0) *sum = s[0];
}

// run: bins_not_cleared<<<1, 64>>>(i32[64] mod 8, i32[8])
extern "C" __global__ void bins_not_cleared(const int *x, int *bins) {
  __shared__ int mine[8];
  atomicAdd(&mine[x[threadIdx.x]], 1);  // expect: uninitialised-read
  __syncthreads();
  if (threadIdx.x < 8) bins[threadIdx.x] = mine[threadIdx.x];  // also: uninitialised-read
}

// run: halo_not_loaded<<<1, 64>>>(f32[64] random, f32[64])
extern "C" __global__ void halo_not_loaded(const float *x, float *y) {
  __shared__ float s[66];
  s[threadIdx.x + 1] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 2];  // expect: uninitialised-read
}

// run: partial_sums_of_missing_warps<<<1, 96>>>(i32[96] random, i32[1])
extern "C" __global__ void partial_sums_of_missing_warps(const int *x, int *sum) {
  __shared__ int partial[4];
  int v = __reduce_add_sync(0xffffffffu, x[threadIdx.x]);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    int all = 0;
    for (int w = 0; w < 4; ++w) all += partial[w];  // expect: uninitialised-read
    *sum = all;
  }
}

// run: dynamic_accumulators<<<1, 32, 128>>>(f32[32] random, f32[32])
extern "C" __global__ void dynamic_accumulators(const float *x, float *y) {
  extern __shared__ float sums[];
  sums[threadIdx.x] += x[threadIdx.x];  // expect: uninitialised-read
  __syncwarp();
  y[threadIdx.x] = sums[31 - threadIdx.x];
}

// run: wrong_row_of_tile<<<1, 16x16>>>(f32[256] random, f32[256])
extern "C" __global__ void wrong_row_of_tile(const float *x, float *y) {
  __shared__ float tile[16][17];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.y][threadIdx.x + 1];  // expect: uninitialised-read
}

// ---- scratch memory: holds nothing at the start of a launch, and no more than was asked for

// run: scratch_per_thread<<<4, 64>>>(i32[256] random, i32[64] scratch, i32[256])
extern "C" __global__ void scratch_per_thread(const int *x, int *scratch, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[i] = 3 * x[i];  // expect: scratch-misuse
  y[i] = scratch[i];
}

// run: scratch_one_too_many<<<4, 32>>>(i32[128] random, i32[4] scratch)
extern "C" __global__ void scratch_one_too_many(const int *x, int *partial) {
  int v = __reduce_add_sync(0xffffffffu, x[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) partial[blockIdx.x + 1] = v;  // expect: scratch-misuse
}

// run: scratch_bytes_for_elements<<<1, 64>>>(i32[64] random, u8[64] scratch, i32[64])
extern "C" __global__ void scratch_bytes_for_elements(const int *x, int *copy, int *y) {
  copy[threadIdx.x] = x[threadIdx.x];  // expect: scratch-misuse
  __syncthreads();
  y[threadIdx.x] = copy[63 - threadIdx.x];
}

// run: scratch_before_its_start<<<1, 32>>>(f32[32] random, f32[32] scratch, f32[32])
extern "C" __global__ void scratch_before_its_start(const float *x, float *line, float *y) {
  line[threadIdx.x] = x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = line[(int)threadIdx.x - 1];  // expect: scratch-misuse
}

// run: scratch_vector_tail<<<1, 32>>>(f32[126] random, f32[126] scratch)
extern "C" __global__ void scratch_vector_tail(const float *x, float *copy) {
  float first = x[threadIdx.x];
  reinterpret_cast<float4 *>(copy)[threadIdx.x] = make_float4(first, 1, 2, 3);  // expect: scratch-misuse
}

// run: scratch_kept_between_launches<<<1, 32>>>(i32[32] random, i32[32] scratch, i32[1] zero, i32[32]) twice
extern "C" __global__ void scratch_kept_between_launches(const int *x, int *cache, int *filled, int *y) {
  if (*filled == 0) cache[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
  __syncwarp();
  y[threadIdx.x] = cache[threadIdx.x];  // expect: uninitialised-read
  if (threadIdx.x == 0) *filled = 1;
}

// run: scratch_counter_not_cleared<<<2, 32>>>(i32[64] random, u32[1] scratch)
extern "C" __global__ void scratch_counter_not_cleared(const int *x, unsigned *count) {
  if (x[blockIdx.x * 32 + threadIdx.x] > 10) atomicAdd(count, 1u);  // expect: uninitialised-read
}

// run: scratch_sum_of_last_time<<<1, 32>>>(i32[32] random, i32[32] scratch, i32[1] zero) twice
extern "C" __global__ void scratch_sum_of_last_time(const int *x, int *history, int *launches) {
  int before = *launches > 0 ? history[threadIdx.x] : 0;  // expect: uninitialised-read
  __syncwarp();
  history[threadIdx.x] = before + x[threadIdx.x];
  if (threadIdx.x == 0) *launches = *launches + 1;
}
