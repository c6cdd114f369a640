// SPDX-License-Identifier: Apache-2.0
//
// Threads that take several elements each, one after the other: where the next thread's begin where these end, it is
// one loop over all.

#define EACH 8

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 5000) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256)
__global__ void up_to_eight(const float *x, float *y, int n) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
  if (start >= n) return;
  int count = n - start < EACH ? n - start : EACH;
  for (int k = 0; k < count; ++k) y[start + k] = x[start + k] + 1.f;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 5000) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256)
__global__ void to_an_end(const float *x, float *y, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH, last = min(first + EACH, n);
  for (int i = first; i < last; ++i) y[i] = 2.f * x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 5000, per = 5) in(x[n]) out(y[n]) launch((n + 1279) / 1280, 256)
__global__ void as_many_as_told(const float *x, float *y, int n, int per) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * per, last = min(first + per, n);
  for (int i = first; i < last; ++i) y[i] = -x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 5000) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256)
__global__ void a_block_apart(const float *x, float *y, int n) {
  const float half = 0.5f;
  int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; k++) {
    int i = base + k * blockDim.x;
    if (i < n) y[i] = half * x[i];
  }
}

// ---- which look like these ----

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096) in(x[n]) inout(y[n]) launch((n + 2047) / 2048, 256)
__global__ void six_of_eight(const float *x, float *y, int n) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
  if (start >= n) return;
  int count = n - start < 6 ? n - start : 6;
  for (int k = 0; k < count; ++k) y[start + k] = x[start + k] + 1.f;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256)
__global__ void reach_into_the_next(const float *x, float *y, int n) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  int count = n - start < EACH ? n - start : EACH;
  for (int k = 0; k < count; ++k) y[start + k] = x[start] + k;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096) inout(y[n + 1]) launch((n + 2047) / 2048, 256)
__global__ void from_the_neighbour(float *y, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH, last = min(first + EACH, n);
  for (int i = first; i < last; ++i) y[i] = y[i + 1];
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256)
__global__ void another_thing_first(const float *x, float *y, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * EACH, last = min(first + EACH, n);
  for (int i = first; i < last; ++i) y[i] = x[first] * x[i];
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096, m = 4000) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256)
__global__ void two_ends(const float *x, float *y, int n, int m) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * EACH;
  if (start >= m) return;
  int count = n - start < EACH ? n - start : EACH;
  for (int k = 0; k < count; ++k) y[start + k] = x[start + k] + 1.f;
}

#pragma cupilot optimize
#pragma cupilot workload(w) set(n = 4096) in(f[n]) inout(y[n]) launch((n + 1023) / 1024, 256)
__global__ void tests_what_it_writes(float *y, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * 4 >= n) return;
  if (y[i * 4] > 0)
    for (int k = 0; k < 4; ++k) y[i * 4 + k] = -f[i * 4 + k];
}
//= up_to_eight:
//=   for i_k in 0 .. n  (independent)
//=     y[i_k] = x[i_k] + 1.f
//=   needs 8 * (block.x * grid.x) >= n: the launch has threads for every i_k
//=   needs x and y apart
//= to_an_end:
//=   for i_2_i in 0 .. n  (independent)
//=     y[i_2_i] = 2.f * x[i_2_i]
//=   needs 8 * (block.x * grid.x) >= n: the launch has threads for every i_2_i
//=   needs x and y apart
//= as_many_as_told:
//=   for i_2_i in 0 .. n  (independent)
//=     y[i_2_i] = -x[i_2_i]
//=   needs block.x * grid.x * per >= n: the launch has threads for every i_2_i
//=   needs x and y apart
//= a_block_apart:
//=   for block_k_t in 0 .. n  (independent)
//=     float half = 0.5f
//=     y[block_k_t] = half * x[block_k_t]
//=   needs 4 * (block.x * grid.x) >= n: the launch has threads for every block_k_t
//=   needs x and y apart
//= six_of_eight:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     for k in 0 .. 6  (independent)
//=       if 8 * i + k < n
//=         y[i * 8 + k] = x[i * 8 + k] + 1.f
//=   needs x and y apart
//= reach_into_the_next:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     for k in 0 .. 8  (independent)
//=       if 4 * i + k < n
//=         y[i * 4 + k] = x[i * 4] + k
//=   needs x and y apart
//= from_the_neighbour:
//=   line 65: threads do not work apart from each other: every iteration writes the same element of 'y'
//= another_thing_first:
//=   for i_2 in 0 .. grid.x * block.x  (independent)
//=     for i in 0 .. 8  (independent)
//=       if 8 * i_2 + i < n
//=         y[8 * i_2 + i] = x[i_2 * 8] * x[8 * i_2 + i]
//=   needs x and y apart
//= two_ends:
//=   for i in 0 .. grid.x * block.x  (independent)
//=     for k in 0 .. 8  (independent)
//=       if i * 8 < m
//=         if 8 * i + k < n
//=           y[i * 8 + k] = x[i * 8 + k] + 1.f
//=   needs x and y apart
//= tests_what_it_writes:
//=   line 88: threads do not work apart from each other: iterations read elements of 'y' that others write
