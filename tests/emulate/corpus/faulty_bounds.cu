// SPDX-License-Identifier: Apache-2.0
// Accesses outside of what was allocated, and not aligned to their width.

// ---- global memory

// run: tail_unguarded<<<4, 256>>>(f32 2, f32[1000] random, f32[1000] random)
extern "C" __global__ void tail_unguarded(float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];  // expect: out-of-bounds
  y[i] = a * v;
}

// run: tail_inclusive<<<4, 256>>>(f32[1000], i32 1000)
extern "C" __global__ void tail_inclusive(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) y[i] = 1.0f;  // expect: out-of-bounds
}

// run: left_neighbour<<<2, 128>>>(f32[256] random, f32[256], i32 256)
extern "C" __global__ void left_neighbour(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) {
    float left = x[i - 1];  // expect: out-of-bounds
    y[i] = left - x[i + 1];
  }
}

// run: vector_tail<<<1, 256>>>(f32[1002] random, f32[1002], i32 1002)
extern "C" __global__ void vector_tail(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (n + 3) / 4) {
    float4 v = reinterpret_cast<const float4 *>(x)[i];  // expect: out-of-bounds
    y[4 * i] = v.x + v.y + v.z + v.w;
  }
}

// run: swapped_extents<<<1, 16x8>>>(f32[96] random, f32[96], i32 12, i32 8)
extern "C" __global__ void swapped_extents(const float *x, float *y, int width, int height) {
  int column = threadIdx.x, row = threadIdx.y;
  if (row < width && column < height + 4)
    y[column * width + row] = x[row * width + column];  // expect: out-of-bounds
}

// run: gather_unchecked<<<1, 64>>>(f32[64] random, i32[64] mod 80, f32[64])
extern "C" __global__ void gather_unchecked(const float *x, const int *index, float *y) {
  int at = index[threadIdx.x];
  y[threadIdx.x] = x[at];  // expect: out-of-bounds
}

// run: index_overflow<<<1, 32>>>(f32[64] random, f32[32], i32 1073741824)
extern "C" __global__ void index_overflow(const float *x, float *y, int pitch) {
  int row = threadIdx.x;
  y[row] = x[row * pitch];  // expect: out-of-bounds
}

// run: null_pointer<<<1, 32>>>(i64 0, f32[32])
extern "C" __global__ void null_pointer(const float *bias, float *y) {
  y[threadIdx.x] = 1.0f + bias[threadIdx.x];  // expect: out-of-bounds
}

// run: output_too_small<<<8, 64>>>(i32[512] random, i32[7])
extern "C" __global__ void output_too_small(const int *x, int *sums) {
  int v = __reduce_add_sync(0xffffffffu, x[blockIdx.x * blockDim.x + threadIdx.x]);
  if (threadIdx.x == 0) sums[blockIdx.x] = v;  // expect: out-of-bounds
}

// ---- shared memory

// run: shared_right_neighbour<<<1, 256>>>(f32[256] random, f32[256])
extern "C" __global__ void shared_right_neighbour(const float *x, float *y) {
  __shared__ float tile[256];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + 1];  // expect: out-of-bounds
}

// run: shared_left_neighbour<<<1, 128>>>(f32[128] random, f32[128])
extern "C" __global__ void shared_left_neighbour(const float *x, float *y) {
  extern __shared__ float line[];
  int t = threadIdx.x;
  float here = x[t];
  line[(int)threadIdx.x - 1] = here;  // expect: out-of-bounds
  __syncthreads();
  y[t] = line[t];
}

// run: dynamic_too_small<<<1, 256, 512>>>(f32[256] random, f32[256])
extern "C" __global__ void dynamic_too_small(const float *x, float *y) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x] = x[threadIdx.x];  // expect: out-of-bounds
  __syncthreads();
  y[threadIdx.x] = buffer[255 - threadIdx.x];
}

// run: histogram_bins<<<1, 128>>>(i32[128] random, i32[64])
extern "C" __global__ void histogram_bins(const int *x, int *bins) {
  __shared__ int mine[64];
  if (threadIdx.x < 64) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[x[threadIdx.x]], 1);  // expect: out-of-bounds
  __syncthreads();
  if (threadIdx.x < 64) bins[threadIdx.x] = mine[threadIdx.x];
}

// run: tile_of_other_block<<<1, 16x17>>>(f32[272] random, f32[272])
extern "C" __global__ void tile_of_other_block(const float *x, float *y) {
  __shared__ float tile[16][16];
  tile[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];  // expect: out-of-bounds
  __syncthreads();
  y[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y % 16];
}

// run: halo_forgotten<<<1, 64>>>(f32[66] random, f32[64])
extern "C" __global__ void halo_forgotten(const float *x, float *y) {
  __shared__ float s[65];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 2) s[64 + threadIdx.x] = x[64 + threadIdx.x];  // expect: out-of-bounds
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 1];
}

// ---- alignment

// run: float4_of_shifted<<<1, 32>>>(f32[132] random, f32[128])
extern "C" __global__ void float4_of_shifted(const float *x, float *y) {
  const float4 *shifted = reinterpret_cast<const float4 *>(x + 1);
  reinterpret_cast<float4 *>(y)[threadIdx.x] = shifted[threadIdx.x];  // expect: misaligned
}

// run: float2_of_odd_row<<<4, 16>>>(f32[132] random, f32[132], i32 33)
extern "C" __global__ void float2_of_odd_row(const float *x, float *y, int pitch) {
  const float *row = x + blockIdx.x * pitch;
  float2 v = reinterpret_cast<const float2 *>(row)[threadIdx.x];  // expect: misaligned
  y[blockIdx.x * pitch + threadIdx.x] = v.x + v.y;
}

// run: int_in_bytes<<<1, 32>>>(u8[200] random, i32[32])
extern "C" __global__ void int_in_bytes(const unsigned char *packet, int *values) {
  const unsigned char *record = packet + 5 * threadIdx.x;
  values[threadIdx.x] = *reinterpret_cast<const int *>(record + 1);  // expect: misaligned
}

// run: double_after_floats<<<1, 32, 1024>>>(f64[32] random, f64[32])
extern "C" __global__ void double_after_floats(const double *x, double *y) {
  extern __shared__ float arena[];
  double *sums = reinterpret_cast<double *>(arena + 33);
  sums[threadIdx.x] = x[threadIdx.x];  // expect: misaligned
  __syncwarp();
  y[threadIdx.x] = sums[31 - threadIdx.x];
}

// run: atomic_on_half_word<<<1, 32>>>(u32[65] zero)
extern "C" __global__ void atomic_on_half_word(unsigned *counters) {
  atomicAdd(reinterpret_cast<unsigned long long *>(counters + 1), 1ull);  // expect: misaligned
}

struct alignas(16) Particle {
  float x, y, z, mass;
};
// run: struct_in_stream<<<1, 8>>>(f32[64] random, f32[8], i32 2)
extern "C" __global__ void struct_in_stream(const float *stream, float *energy, int header) {
  Particle p = reinterpret_cast<const Particle *>(stream + header)[threadIdx.x];  // expect: misaligned
  energy[threadIdx.x] = p.mass * (p.x * p.x + p.y * p.y + p.z * p.z);
}

// ---- from one shared array into the next

// run: past_the_first_array<<<1, 64>>>(f32[64] random, f32[64])
extern "C" __global__ void past_the_first_array(const float *x, float *y) {
  __shared__ float near[64], far[64];
  const int t = threadIdx.x;
  near[t] = x[t];
  far[t] = 2 * x[t];
  __syncthreads();
  y[t] = near[t + 1] + far[t];  // one of: shared-overrun
  y[t] += far[t] - far[63 - t] + near[63 - t] + (t ? far[t - 1] : 0);
  y[t] += far[(t + 1) % 64] * near[t + 1];  // one of: shared-overrun
}

// run: before_the_second_array<<<1, 32>>>(f32[32] random, f32[32], i32 -2)
extern "C" __global__ void before_the_second_array(const float *x, float *y, int back) {
  __shared__ float first[32], second[32];
  first[threadIdx.x] = x[threadIdx.x];
  second[threadIdx.x] = -x[threadIdx.x];
  __syncthreads();
  const int t = threadIdx.x;
  y[t] = first[(t + 32 + back) % 32 * (back < 0)] + second[t + back] * (1 + second[31 - t]);  // one of: shared-overrun
  y[t] += first[t - back];  // one of: shared-overrun
}

// run: a_column_too_many<<<1, 8x8>>>(f32[64] random, f32[64], i32 8)
extern "C" __global__ void a_column_too_many(const float *x, float *y, int last) {
  __shared__ float tile[8][8], sums[8];
  const int i = threadIdx.x, j = threadIdx.y;
  tile[j][i] = x[j * 8 + i];
  if (j == 0) sums[i] = 0;
  __syncthreads();
  float sum = sums[7 - i];
  for (int k = 0; k <= last; ++k) sum += tile[j][k];  // expect: shared-overrun
  y[j * 8 + i] = sum;
}

// run: writes_into_the_next_array<<<1, 32>>>(i32[32] random, i32[32], i32 1)
extern "C" __global__ void writes_into_the_next_array(const int *x, int *y, int ahead) {
  __shared__ int one[32], two[32];
  const int t = threadIdx.x;
  one[t] = 0;
  two[t] = x[t];
  __syncthreads();
  if (t % 2) one[t + ahead] = x[t];  // one of: shared-overrun
  if (t % 2) two[t - 33 * ahead + 1] += 1;  // one of: shared-overrun
  __syncthreads();
  y[t] = one[31 - t] + two[31 - t];
}

// run: counts_past_the_bins<<<1, 64>>>(i32[64] mod 17, i32[16])
extern "C" __global__ void counts_past_the_bins(const int *x, int *bins) {
  __shared__ int count[16], offset[16];
  if (threadIdx.x < 16) count[threadIdx.x] = 0, offset[threadIdx.x] = threadIdx.x;
  __syncthreads();
  atomicAdd(&count[x[threadIdx.x]], 1);  // one of: shared-overrun
  atomicAdd(&offset[x[threadIdx.x]], 1);  // one of: shared-overrun // also: out-of-bounds
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] = count[threadIdx.x] + offset[15 - threadIdx.x];
}
