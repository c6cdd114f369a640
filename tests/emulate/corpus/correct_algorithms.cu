// SPDX-License-Identifier: Apache-2.0
// Small whole algorithms: sorting, graphs, sparse matrices, particles.

// run: sort_bitonic<<<1, 256>>>(i32[256] random) = sort_all
extern "C" __global__ void sort_bitonic(int *x) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int size = 2; size <= 256; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int other = t ^ stride;
      if (other > t) {
        int a = s[t], b = s[other];
        if ((a > b) == ((t & size) == 0)) s[t] = b, s[other] = a;
      }
      __syncthreads();
    }
  x[t] = s[t];
}

// run: sort_odd_even<<<1, 64>>>(i32[128] random) = sort_all
extern "C" __global__ void sort_odd_even(int *x) {
  for (int round = 0; round < 128; ++round) {
    int i = 2 * threadIdx.x + (round & 1);
    if (i + 1 < 128 && x[i] > x[i + 1]) {
      int v = x[i];
      x[i] = x[i + 1];
      x[i + 1] = v;
    }
    __syncthreads();
  }
}

// run: sort_by_bits<<<1, 128>>>(i32[128] random) = sort_all
extern "C" __global__ void sort_by_bits(int *x) {
  __shared__ int values[128], zeros[4];
  int t = threadIdx.x, lane = t & 31, warp = t >> 5, v = x[t];
  for (int bit = 0; bit < 7; ++bit) {
    bool one = v >> bit & 1;
    unsigned ones = __ballot_sync(0xffffffffu, one);
    if (lane == 0) zeros[warp] = 32 - __popc(ones);
    __syncthreads();
    int all = zeros[0] + zeros[1] + zeros[2] + zeros[3], before = 0;
    for (int w = 0; w < warp; ++w) before += zeros[w];
    before += __popc(~ones & ((1u << lane) - 1));
    values[one ? all + t - before : before] = v;
    __syncthreads();
    v = values[t];
  }
  x[t] = v;
}

// run: sparse_rows<<<1, 32>>>(i32[33] iota, i32[64] mod 32, f32[64] random, f32[32] random, f32[32]) = sparse
extern "C" __global__ void sparse_rows(const int *row, const int *column, const float *value, const float *x, float *y) {
  float sum = 0;
  for (int k = row[threadIdx.x]; k < row[threadIdx.x + 1] + 1; ++k) sum += value[k] * x[column[k]];
  y[threadIdx.x] = sum;
}

// run: shortest_paths<<<1, 16x16>>>(i32[256] random) = floyd_warshall
extern "C" __global__ void shortest_paths(int *distance) {
  int i = threadIdx.y, j = threadIdx.x;
  for (int k = 0; k < 16; ++k) {
    int via = distance[i * 16 + k] + distance[k * 16 + j];
    __syncthreads();
    if (via < distance[i * 16 + j]) distance[i * 16 + j] = via;
    __syncthreads();
  }
}

// run: breadth_first<<<1, 64>>>(i32[64] order, i32[64], i32[1]) = breadth_first
extern "C" __global__ void breadth_first(const int *parent, int *level, int *rounds) {
  int t = threadIdx.x, round = 0;
  level[t] = t == 0 ? 0 : -1;
  for (bool again = true; again; ++round) {
    __syncthreads();
    int from = level[parent[t]], mine = level[t];
    __syncthreads();
    if (mine < 0 && from == round) level[t] = round + 1;
    again = __syncthreads_or(mine < 0 && from == round);
  }
  if (t == 0) *rounds = round;
}

// run: bodies<<<2, 32>>>(f32[256] random, f32[192], i32 64) = bodies ~1e-4
extern "C" __global__ void bodies(const float4 *body, float3 *force, int n) {
  __shared__ float4 tile[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  float4 me = body[i];
  float3 sum = {0, 0, 0};
  for (int base = 0; base < n; base += 32) {
    tile[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 32; ++k) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.5f), s = tile[k].w * r * r * r;
      sum.x += dx * s, sum.y += dy * s, sum.z += dz * s;
    }
    __syncthreads();
  }
  force[i] = sum;
}

// run: mandelbrot<<<2x2, 16x8>>>(i32[512]) = mandelbrot
extern "C" __global__ void mandelbrot(int *counts) {
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y, k = 0;
  double x0 = c / 16.0 - 1.5, y0 = r / 8.0 - 1, x = 0, y = 0;
  for (; k < 60 && x * x + y * y < 4; ++k) {
    double next = __dadd_rn(__dsub_rn(__dmul_rn(x, x), __dmul_rn(y, y)), x0);
    y = __dadd_rn(__dmul_rn(2 * x, y), y0);
    x = next;
  }
  counts[r * 32 + c] = k;
}

// run: find_text<<<1, 64>>>(u8[200] mod 3, i32[64]) = find_text
extern "C" __global__ void find_text(const unsigned char *text, int *where) {
  int found = -1;
  for (int i = threadIdx.x; i + 3 < 200 && found < 0; i += 64)
    if (text[i] == 1 && text[i + 1] == 2 && text[i + 2] == text[i + 3]) found = i;
  where[threadIdx.x] = found;
}

// run: merge_sorted<<<1, 128>>>(i32[64] iota, i32[64] iota, i32[128]) = merged
extern "C" __global__ void merge_sorted(const int *a, const int *b, int *y) {
  bool first = threadIdx.x < 64;
  const int *other = first ? b : a;
  int t = threadIdx.x & 63, v = first ? a[t] : b[t], low = 0, high = 64;
  while (low < high) {
    int middle = (low + high) / 2;
    if (other[middle] < v || (!first && other[middle] == v)) low = middle + 1;
    else high = middle;
  }
  y[t + low] = v;
}

// run: sieve<<<1, 64>>>(u8[400] value 1, i32 400) = sieve
extern "C" __global__ void sieve(unsigned char *prime, int n) {
  if (threadIdx.x < 2) prime[threadIdx.x] = 0;
  __syncthreads();
  for (int p = 2; p * p < n; ++p) {
    bool is_prime = prime[p];
    if (is_prime)
      for (int m = p * p + threadIdx.x * p; m < n; m += 64 * p) prime[m] = 0;
    __syncthreads();
  }
}

// run: random_walk<<<2, 32>>>(u32[64] random, i32[64]) = random_walk
extern "C" __global__ void random_walk(const unsigned *seed, int *inside) {
  unsigned s = seed[blockIdx.x * 32 + threadIdx.x] * 747796405u + 2891336453u;
  int hits = 0;
  for (int k = 0; k < 50; ++k) {
    s = s * 1664525u + 1013904223u;
    int x = s >> 20;
    s = s * 1664525u + 1013904223u;
    int y = s >> 20;
    hits += x * x + y * y < 4096 * 4096;
  }
  inside[blockIdx.x * 32 + threadIdx.x] = hits;
}
