// SPDX-License-Identifier: Apache-2.0
// What C++ asks of a machine: calls, recursion, local arrays, structs, heap, printing, arithmetic of all widths.

#include <cassert>
#include <cstdio>
#include <new>

// run: print_lines<<<2, 32>>>(i32[64] random, i32[64]) = copy lines 8
extern "C" __global__ void print_lines(const int *x, int *y) {
  int i = blockIdx.x * 32 + threadIdx.x;
  y[i] = x[i];
  if (threadIdx.x % 8 == 0) printf("block %d thread %u: %d %s %5.2f %c %lld%%\n", blockIdx.x, threadIdx.x, x[i], "text", 0.5 * x[i], 'c', 1ll << 40);
}

// run: assert_holds<<<1, 32>>>(i32[32] random, i32[32]) = copy
extern "C" __global__ void assert_holds(const int *x, int *y) {
  assert(x[threadIdx.x] >= 0 && x[threadIdx.x] < 100);
  y[threadIdx.x] = x[threadIdx.x];
}

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
// run: recursion<<<1, 32>>>(i32[32] mod 10, i32[32]) = fibonacci
extern "C" __global__ void recursion(const int *x, int *y) { y[threadIdx.x] = fibonacci(x[threadIdx.x]); }

__device__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ __noinline__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }
// run: mutual_recursion<<<1, 32>>>(i32[32] mod 20, i32[32]) = is_even
extern "C" __global__ void mutual_recursion(const int *x, int *y) { y[threadIdx.x] = even(x[threadIdx.x]); }

__device__ void quicksort(int *a, int low, int high) {
  if (low >= high) return;
  int pivot = a[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (a[i] < pivot) ++i;
    while (a[j] > pivot) --j;
    if (i <= j) {
      int t = a[i];
      a[i++] = a[j];
      a[j--] = t;
    }
  }
  quicksort(a, low, j);
  quicksort(a, i, high);
}
// run: recursion_on_memory<<<4, 1>>>(i32[200] random) = sort_stretches
extern "C" __global__ void recursion_on_memory(int *x) { quicksort(x + blockIdx.x * 50, 0, 49); }

typedef int (*Operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[3] = {add, subtract, multiply};
// run: function_table<<<1, 32>>>(i32[32] random, i32[32] random, i32[32]) = three_operations
extern "C" __global__ void function_table(const int *a, const int *b, int *y) {
  y[threadIdx.x] = operations[threadIdx.x % 3](a[threadIdx.x], b[threadIdx.x]);
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float width, height;
  __device__ Rectangle(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
};
// run: virtual_functions<<<1, 32>>>(f32[32] random, f32[32]) = areas
extern "C" __global__ void virtual_functions(const float *x, float *y) {
  float v = x[threadIdx.x];
  Square square(v);
  Rectangle rectangle(v, 3);
  const Shape *shape = threadIdx.x % 2 ? static_cast<const Shape *>(&rectangle) : &square;
  y[threadIdx.x] = shape->area();
}

struct Settings {
  int offset;
  float scale;
  double bias;
  short table[4];
};
// run: struct_by_value<<<1, 32>>>(f32[32] random, {i32 3, f32 2, f64 0.5, i16 1, i16 2, i16 3, i16 4}, f32[32]) = settings
extern "C" __global__ void struct_by_value(const float *x, Settings s, float *y) {
  y[threadIdx.x] = x[(threadIdx.x + s.offset) & 31] * s.scale + s.bias + s.table[threadIdx.x & 3];
}

// run: local_array<<<1, 32>>>(i32[64] random, i32[32], i32 5) = local_digits
extern "C" __global__ void local_array(const int *x, int *y, int rounds) {
  int counts[10] = {};
  for (int k = 0; k < rounds; ++k) ++counts[(x[threadIdx.x + k] + k) % 10];
  int most = 0;
  for (int d = 1; d < 10; ++d)
    if (counts[d] > counts[most]) most = d;
  y[threadIdx.x] = most * 100 + counts[most];
}

// run: local_sort<<<1, 8>>>(i32[128] random) = sort_stretches16
extern "C" __global__ void local_sort(int *x) {
  int a[16];
  for (int k = 0; k < 16; ++k) a[k] = x[threadIdx.x * 16 + k];
  for (int k = 1; k < 16; ++k) {
    int v = a[k], j = k;
    for (; j > 0 && a[j - 1] > v; --j) a[j] = a[j - 1];
    a[j] = v;
  }
  for (int k = 0; k < 16; ++k) x[threadIdx.x * 16 + k] = a[k];
}

// run: heap_lists<<<2, 32>>>(i32[64] mod 8, i32[64]) = triangle
extern "C" __global__ void heap_lists(const int *x, int *y) {
  struct Node {
    int value;
    Node *next;
  };
  int i = blockIdx.x * 32 + threadIdx.x, sum = 0;
  Node *first = nullptr;
  for (int k = 0; k <= x[i]; ++k) {
    Node *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->value = k;
    node->next = first;
    first = node;
  }
  while (first != nullptr) {
    sum += first->value;
    Node *next = first->next;
    free(first);
    first = next;
  }
  y[i] = sum;
}

// run: heap_new_array<<<1, 4>>>(i32[4] mod 9, i32[4]) = triangle
extern "C" __global__ void heap_new_array(const int *x, int *y) {
  int n = x[threadIdx.x] + 1;
  int *values = new int[n];
  for (int k = 0; k < n; ++k) values[k] = k;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += values[n - 1 - k];
  delete[] values;
  y[threadIdx.x] = sum;
}

__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__device__ int offsets[4] = {100, 200, 300, 400};
__device__ const int *where = offsets;
// run: tables<<<1, 32>>>(i32[32] random, i32[32]) = tables
extern "C" __global__ void tables(const int *x, int *y) {
  y[threadIdx.x] = x[threadIdx.x] * primes[threadIdx.x & 7] + where[threadIdx.x >> 3];
}

// run: switch_table<<<1, 64>>>(i32[64] mod 9, i32[64]) = switch_table
extern "C" __global__ void switch_table(const int *x, int *y) {
  int v = x[threadIdx.x], r;
  switch (v) {
    case 0: r = 5; break;
    case 1: r = v * 17; break;
    case 2: r = v - 90; break;
    case 3: r = v << 7; break;
    case 4: r = ~v; break;
    case 5: r = v * v * v; break;
    case 6: r = v / 4; [[fallthrough]];
    case 7: r = 1000 + v; break;
    default: r = -1;
  }
  y[threadIdx.x] = r;
}

// run: uneven_loops<<<1, 64>>>(i32[64] random, i32[64]) = collatz
extern "C" __global__ void uneven_loops(const int *x, int *y) {
  int n = x[threadIdx.x] + 1, steps = 0;
  while (n != 1) {
    if (n % 2 == 0) {
      n /= 2;
    } else {
      n = 3 * n + 1;
      if (steps > 100) break;
    }
    ++steps;
  }
  y[threadIdx.x] = steps;
}

// run: nested_branches<<<2, 48>>>(i32[96] random, i32[96]) = nested
extern "C" __global__ void nested_branches(const int *x, int *y) {
  int i = blockIdx.x * 48 + threadIdx.x, v = x[i], r = 0;
  for (int k = 0; k < 4; ++k) {
    if (v % 2) {
      if (v % 3) {
        r += 1;
        if (v % 5 == 0) continue;
      } else {
        r += 10;
      }
      v += 7;
    } else if (v > 60) {
      r += 100;
      break;
    } else {
      v = v / 2 + 1;
    }
    r *= 2;
  }
  y[i] = r;
}

// run: return_before_work<<<4, 64>>>(i32[200] random, i32[200], i32 200) = copy
extern "C" __global__ void return_before_work(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
}

// run: whole_block_returns<<<4, 64>>>(i32[256] random, i32[256] zero) = reverse_first_two
extern "C" __global__ void whole_block_returns(const int *x, int *y) {
  __shared__ int s[64];
  if (blockIdx.x >= 2) return;
  s[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

// run: barrier_in_even_loop<<<1, 64>>>(i32[64] random, i32[64], i32 5) = rotate
extern "C" __global__ void barrier_in_even_loop(const int *x, int *y, int rounds) {
  __shared__ int s[64];
  int v = x[threadIdx.x];
  for (int k = 0; k < rounds; ++k) {
    s[threadIdx.x] = v;
    __syncthreads();
    v = s[(threadIdx.x + 1) & 63];
    __syncthreads();
  }
  y[threadIdx.x] = v;
}

// run: shared_arena<<<1, 32, 512>>>(f32[32] random, i32[32] random, f32[32]) = arena
extern "C" __global__ void shared_arena(const float *x, const int *n, float *y) {
  extern __shared__ __align__(8) unsigned char arena[];
  double *sums = reinterpret_cast<double *>(arena);
  int *counts = reinterpret_cast<int *>(sums + 32);
  unsigned char *flags = reinterpret_cast<unsigned char *>(counts + 32);
  int t = threadIdx.x;
  sums[t] = x[t];
  counts[t] = n[t];
  flags[t] = n[t] > 50;
  __syncthreads();
  int o = 31 - t;
  y[t] = flags[o] ? sums[o] * counts[o] : -1.0;
}

// run: types_over_each_other<<<1, 32>>>(u32[32] random, u32[32]) = byte_reverse
extern "C" __global__ void types_over_each_other(const unsigned *x, unsigned *y) {
  union {
    unsigned word;
    unsigned char bytes[4];
  } in, out;
  in.word = x[threadIdx.x] * 2654435761u;
  for (int k = 0; k < 4; ++k) out.bytes[k] = in.bytes[3 - k];
  y[threadIdx.x] = out.word;
}

// run: byte_permute<<<1, 32>>>(u32[32] random, u32[32]) = byte_reverse
extern "C" __global__ void byte_permute(const unsigned *x, unsigned *y) {
  y[threadIdx.x] = __byte_perm(x[threadIdx.x] * 2654435761u, 0, 0x0123);
}

// run: bit_tricks<<<1, 32>>>(u32[32] random, u32[32]) = bit_tricks
extern "C" __global__ void bit_tricks(const unsigned *x, unsigned *y) {
  unsigned v = x[threadIdx.x] * 2654435761u;
  y[threadIdx.x] = __popc(v) + 100 * __clz(v >> 3) + 10000 * __ffs(v & ~7u) + (__brev(v) & 1) + __funnelshift_l(v, v, 13);
}

// run: wide_arithmetic<<<1, 32>>>(i64[32] random, i64[32]) = wide_arithmetic
extern "C" __global__ void wide_arithmetic(const long long *x, long long *y) {
  long long v = x[threadIdx.x] * 1234567890123ll + 987654321;
  unsigned long long u = (unsigned long long)v;
  y[threadIdx.x] = v / 12345 + v % 678 + (v >> 7) + (long long)(u / 99991u) + (long long)__umul64hi(u, u << 20);
}

// run: division_by_variable<<<1, 64>>>(i32[64] random, i32[64] random, i32[64]) = division
extern "C" __global__ void division_by_variable(const int *a, const int *b, int *y) {
  int n = a[threadIdx.x] * 7919 - 300000, d = b[threadIdx.x] - 50;
  if (d == 0) d = 3;
  y[threadIdx.x] = n / d * 1000 + n % d + (int)((unsigned)n / (unsigned)d);
}

// run: small_types<<<1, 64>>>(i8[64] random, u16[64] random, i32[64]) = small_types
extern "C" __global__ void small_types(const signed char *a, const unsigned short *b, int *y) {
  signed char c = a[threadIdx.x] * 3;
  unsigned short s = b[threadIdx.x] * 777;
  short t = s;
  y[threadIdx.x] = c * 100000 + t + (s >> 5);
}

// run: conversions<<<1, 32>>>(f32[32] random, i32[32]) = conversions
extern "C" __global__ void conversions(const float *x, int *y) {
  float v = x[threadIdx.x] * 1000;
  y[threadIdx.x] = (int)v + (int)rintf(v) * 3 + (int)floorf(v) * 5 + (int)ceilf(v) * 7 + (int)(unsigned char)(int)fabsf(v) +
                   (int)(double)v;
}

// run: double_functions<<<1, 32>>>(f64[32] random, f64[32]) = double_functions ~1e-13
extern "C" __global__ void double_functions(const double *x, double *y) {
  double v = x[threadIdx.x];
  y[threadIdx.x] = sin(v) + cos(3 * v) + exp(v) * log1p(v * v) + pow(2.0 + v, 1.5) + sqrt(v + 2) + atan2(v, 0.5) + erf(v) + cbrt(v);
}

// run: float_functions<<<1, 32>>>(f32[32] random, f32[32]) = float_functions ~1e-5
extern "C" __global__ void float_functions(const float *x, float *y) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = sinf(v) + cosf(3 * v) + expf(v) * log1pf(v * v) + powf(2.0f + v, 1.5f) + sqrtf(v + 2) + atan2f(v, 0.5f) +
                   erff(v) + cbrtf(v) + fmodf(5 * v, 0.75f) + hypotf(v, 1) + exp2f(v) + log2f(v + 2);
}

template <class T, int kCount>
struct Pack {
  T values[kCount];
  __device__ T sum() const {
    T s = 0;
    for (T v : values) s += v;
    return s;
  }
};
// run: templates_and_lambdas<<<1, 32>>>(i32[128] random, i32[32]) = four_sums
extern "C" __global__ void templates_and_lambdas(const Pack<int, 4> *x, int *y) {
  auto twice = [&](int i) { return 2 * x[i].sum(); };
  y[threadIdx.x] = twice(threadIdx.x) - x[threadIdx.x].sum();
}

struct Complex {
  float re, im;
  __device__ Complex operator*(const Complex &o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};
__device__ __noinline__ Complex square_of(Complex z) { return z * z; }
// run: structs_through_calls<<<1, 32>>>(f32[64] random, f32[64]) = complex_squares
extern "C" __global__ void structs_through_calls(const Complex *x, Complex *y) { y[threadIdx.x] = square_of(x[threadIdx.x]); }

// run: memory_functions<<<1, 8>>>(i32[64] random, i32[64]) = copy
extern "C" __global__ void memory_functions(const int *x, int *y) {
  int buffer[8];
  memset(buffer, 0, sizeof buffer);
  memcpy(buffer, x + threadIdx.x * 8, sizeof buffer);
  memcpy(y + threadIdx.x * 8, buffer, sizeof buffer);
}

// run: three_dimensions<<<2x2x2, 2x3x4>>>(i32[192]) = numbers
extern "C" __global__ void three_dimensions(int *y) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int i = block * 24 + thread;
  y[i] = i;
}

__device__ int counter = 40;
// run: device_variable<<<2, 32>>>(i32[1], i32[1] zero) = forty_two
extern "C" __global__ void device_variable(int *y, int *done) {
  if (threadIdx.x == 0) {
    atomicAdd(&counter, 1);
    __threadfence();
    if (atomicAdd(done, 1) == 1) {
      __threadfence();
      *y = atomicAdd(&counter, 0);
    }
  }
}
