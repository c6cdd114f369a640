// Several variables that change together become folds: the largest value and its place, the largest value and the sum
// of exponentials below it, the mean and the squares around it. What only looks like that stays.
#include <cfloat>
struct Best {
  float v;
  int i;
};
__device__ Best better(Best a, Best b) {
  if (b.v > a.v || (b.v == a.v && b.i < a.i)) return b;
  return a;
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 64)
__global__ void place_by_structures(const float *x, int *at, int rows, int cols) {
  __shared__ Best all[64];
  Best own = {-INFINITY, 0x7fffffff};
  for (int c = threadIdx.x; c < cols; c += 64) {
    Best one = {x[blockIdx.x * cols + c], c};
    own = better(own, one);
  }
  all[threadIdx.x] = own;
  __syncthreads();
  for (int s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s && s > 0) all[threadIdx.x] = better(all[threadIdx.x], all[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) at[blockIdx.x] = all[0].i;
}
// The smallest, by a lambda and shuffles; both halves are used.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows], least[rows]) launch(rows, 32)
__global__ void place_by_lambda(const float *x, int *at, float *least, int rows, int cols) {
  float best = FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] < best) best = x[blockIdx.x * cols + c], where = c;
  auto take = [&](float v, int i) {
    if (v < best || (v == best && i < where)) {
      best = v;
      where = i;
    }
  };
  for (int d = 16; d > 0; d /= 2) take(__shfl_down_sync(~0u, best, d), __shfl_down_sync(~0u, where, d));
  if (threadIdx.x == 0) at[blockIdx.x] = where, least[blockIdx.x] = best;
}
// Of equal values any thread's may win.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 32)
__global__ void without_a_rule_for_ties(const float *x, int *at, int rows, int cols) {
  float best = -FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] > best) best = x[blockIdx.x * cols + c], where = c;
  for (int d = 16; d > 0; d /= 2) {
    float v = __shfl_down_sync(~0u, best, d);
    int i = __shfl_down_sync(~0u, where, d);
    if (v > best) best = v, where = i;
  }
  if (threadIdx.x == 0) at[blockIdx.x] = where;
}
// The last of equal ones in each thread, the first of all threads.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 32)
__global__ void last_of_equals(const float *x, int *at, int rows, int cols) {
  float best = -FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] >= best) best = x[blockIdx.x * cols + c], where = c;
  for (int d = 16; d > 0; d /= 2) {
    float v = __shfl_down_sync(~0u, best, d);
    int i = __shfl_down_sync(~0u, where, d);
    if (v > best || (v == best && i < where)) best = v, where = i;
  }
  if (threadIdx.x == 0) at[blockIdx.x] = where;
}
// The place comes from another lane than the value.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 32)
__global__ void from_other_lanes(const float *x, int *at, int rows, int cols) {
  float best = -FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] > best) best = x[blockIdx.x * cols + c], where = c;
  for (int d = 16; d > 0; d /= 2) {
    float v = __shfl_down_sync(~0u, best, d);
    int i = __shfl_down_sync(~0u, where, d / 2);
    if (v > best || (v == best && i < where)) best = v, where = i;
  }
  if (threadIdx.x == 0) at[blockIdx.x] = where;
}
// Places go down, so that of equal ones the last is met first.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 32)
__global__ void places_go_down(const float *x, int *at, int rows, int cols) {
  float best = -FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] > best) best = x[blockIdx.x * cols + c], where = cols - c;
  for (int d = 16; d > 0; d /= 2) {
    float v = __shfl_down_sync(~0u, best, d);
    int i = __shfl_down_sync(~0u, where, d);
    if (v > best || (v == best && i < where)) best = v, where = i;
  }
  if (threadIdx.x == 0) at[blockIdx.x] = where;
}
// The place is changed once more.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(at[rows]) launch(rows, 32)
__global__ void place_changes(const float *x, int *at, int rows, int cols) {
  float best = -FLT_MAX;
  int where = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    if (x[blockIdx.x * cols + c] > best) best = x[blockIdx.x * cols + c], where = c;
  where += 1;
  for (int d = 16; d > 0; d /= 2) {
    float v = __shfl_down_sync(~0u, best, d);
    int i = __shfl_down_sync(~0u, where, d);
    if (v > best || (v == best && i < where)) best = v, where = i;
  }
  if (threadIdx.x == 0) at[blockIdx.x] = where;
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 32)
__global__ void online_softmax(const float *x, float *y, int rows, int cols) {
  float m = -FLT_MAX, d = 0;
  for (int c = threadIdx.x; c < cols; c += 32) {
    float v = x[blockIdx.x * cols + c], n = fmaxf(m, v);
    d = d * expf(m - n) + expf(v - n);
    m = n;
  }
  for (int o = 16; o > 0; o /= 2) {
    float om = __shfl_xor_sync(~0u, m, o), od = __shfl_xor_sync(~0u, d, o), n = fmaxf(m, om);
    d = d * expf(m - n) + od * expf(om - n);
    m = n;
  }
  for (int c = threadIdx.x; c < cols; c += 32) y[blockIdx.x * cols + c] = expf(x[blockIdx.x * cols + c] - m) / d;
}
// It begins at an infinity, so that another one makes NaN.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void from_infinity(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, d = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = x[r * cols + c], n = fmaxf(m, v);
    d = d * expf(m - n) + expf(v - n);
    m = n;
  }
  y[r] = m + logf(d);
}
// One thread a row, in the branches of a comparison; there are no infinities.
#pragma cupilot optimize assume(finite(x))
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void online_by_branches(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, d = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = 2 * x[r * cols + c];
    if (v > m) {
      d = d * expf(m - v) + 1;
      m = v;
    } else {
      d += expf(v - m);
    }
  }
  y[r] = m + logf(d);
}
// The sum is scaled by the wrong difference.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void scaled_the_wrong_way(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, d = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = x[r * cols + c], n = fmaxf(m, v);
    d = d * expf(n - m) + expf(v - n);
    m = n;
  }
  y[r] = m + logf(d);
}
// What there is so far is used before all is there.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows * cols]) launch((rows + 31) / 32, 32)
__global__ void used_on_the_way(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, d = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = x[r * cols + c], n = fmaxf(m, v);
    d = d * expf(m - n) + expf(v - n);
    m = n;
    y[r * cols + c] = d;
  }
}
// Two loops go on with the same sum.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void in_two_loops(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, d = 0;
  for (int c = 0; c < cols; ++c) {
    const float v = x[r * cols + c], n = fmaxf(m, v);
    d = d * expf(m - n) + expf(v - n);
    m = n;
  }
  for (int c = 0; c < cols; ++c) {
    const float v = 3 * x[r * cols + c], n = fmaxf(m, v);
    d = d * expf(m - n) + expf(v - n);
    m = n;
  }
  y[r] = m + logf(d);
}
__device__ void join(float &n, float &mean, float &squares, float nb, float mb, float sb) {
  const float all = n + nb;
  if (all == 0.f) return;
  const float apart = mb - mean;
  mean += apart * nb / all;
  squares += sb + apart * apart * n * nb / all;
  n = all;
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(mean[rows], var[rows]) launch(rows, 64)
__global__ void welford(const float *x, float *mean, float *var, int rows, int cols) {
  __shared__ float ns[64], means[64], squares[64];
  const int t = threadIdx.x;
  float n = 0, m = 0, s = 0;
  for (int c = t; c < cols; c += 64) {
    const float v = x[blockIdx.x * cols + c];
    n += 1;
    const float d = v - m;
    m += d / n;
    s += d * (v - m);
  }
  ns[t] = n, means[t] = m, squares[t] = s;
  __syncthreads();
  for (int o = 32; o > 0; o /= 2) {
    if (t < o) {
      join(n, m, s, ns[t + o], means[t + o], squares[t + o]);
      ns[t] = n, means[t] = m, squares[t] = s;
    }
    __syncthreads();
  }
  if (t == 0) mean[blockIdx.x] = m, var[blockIdx.x] = s / n;
}
// The squares are around the mean before, on both sides.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void no_welford(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float n = 0, m = 0, s = 0;
  for (int c = 0; c < cols; ++c) {
    const float d = x[r * cols + c] - m;
    n += 1;
    m += d / n;
    s += d * d;
  }
  y[r] = s / n;
}
// Elements of its own, four a thread, and what threads have is put together.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9) in(x[rows * 128]) out(y[rows]) launch(rows, 32)
__global__ void own_elements(const float *x, float *y, int rows) {
  float s = 0;
  for (int k = 0; k < 4; ++k) s += x[blockIdx.x * 128 + k * 32 + threadIdx.x];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
// What each thread has changes before it is put together.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols]) out(y[rows]) launch(rows, 32)
__global__ void changed_before(const float *x, float *y, int rows, int cols) {
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 32) s += x[blockIdx.x * cols + c];
  for (int k = 0; k < 3; ++k) s = sqrtf(s);
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) y[blockIdx.x] = s;
}
// Which of two is written depends on data that is the same for all.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 9, cols = 300) in(x[rows * cols], label[rows]) out(y[rows]) fill(label = randint(-1, cols)) launch(rows, 32)
__global__ void label_or_nothing(const float *x, const int *label, float *y, int rows, int cols) {
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += 32) s += x[blockIdx.x * cols + c];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x == 0) {
    const int l = label[blockIdx.x];
    if (l < 0 || l >= cols)
      y[blockIdx.x] = 0;
    else
      y[blockIdx.x] = s - x[blockIdx.x * cols + l];
  }
}
// An object that is nothing but its function, and one that holds something.
struct Largest {
  __device__ float operator()(float a, const float &b) const { return fmaxf(a, b); }
};
struct Scaled {
  float by;
  __device__ float operator()(float a, float b) const { return fmaxf(a, by * b); }
};
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void by_an_object(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  Largest largest;
  float m = -INFINITY;
  for (int c = 0; c < cols; ++c) m = largest(m, x[r * cols + c]);
  y[r] = m;
}
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void by_an_object_that_holds(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  Scaled largest{2};
  float m = -INFINITY;
  for (int c = 0; c < cols; ++c) m = largest(m, x[r * cols + c]);
  y[r] = m;
}
// A lambda that has a copy from before.
#pragma cupilot optimize
#pragma cupilot workload set(rows = 90, cols = 30) in(x[rows * cols]) out(y[rows]) launch((rows + 31) / 32, 32)
__global__ void by_a_copy(const float *x, float *y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = 0;
  auto more = [m](float v) { return m + v; };
  for (int c = 0; c < cols; ++c) m = more(x[r * cols + c]);
  y[r] = m;
}
//= place_by_structures:
//=   for block in 0 .. grid.x  (independent)
//=     unsigned long long own_v = arg_key(-INFINITY, 2147483648)
//=     for c in 0 .. cols  (reduction)
//=       float one_v = x[block * cols + c]
//=       own_v = max(own_v, arg_key(one_v, c + 1))
//=     at[block] = (int)(arg_place(own_v) - 1)
//=   needs block.x == 64: as many threads cooperate
//= place_by_lambda:
//=   for block in 0 .. grid.x  (independent)
//=     unsigned long long best = arg_first(-FLT_MAX)
//=     for c in 0 .. cols  (reduction)
//=       best = max(best, arg_key(-x[block * cols + c], c + 1))
//=     at[block] = arg_place(best) == 0 ? 0 : (int)(arg_place(best) - 1)
//=     least[block] = -arg_value(best)
//=   needs block.x == 32: as many threads cooperate
//=   needs x and least apart
//= without_a_rule_for_ties:
//=   line 52: the iterations of this loop, which threads share, need each other: 'best' goes on from one iteration to the next
//= last_of_equals:
//=   line 67: the iterations of this loop, which threads share, need each other: 'best' goes on from one iteration to the next
//= from_other_lanes:
//=   line 82: the iterations of this loop, which threads share, need each other: 'best' goes on from one iteration to the next
//= places_go_down:
//=   line 97: the iterations of this loop, which threads share, need each other: 'best' goes on from one iteration to the next
//= place_changes:
//=   line 112: the iterations of this loop, which threads share, need each other: 'best' goes on from one iteration to the next
//= online_softmax:
//=   for block in 0 .. grid.x  (independent)
//=     float m = -FLT_MAX
//=     float d = 0
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       m = max(m, v)
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       d += expf(v - m)
//=     for c in 0 .. cols  (independent)
//=       y[block * cols + c] = expf(x[block * cols + c] - m) / d
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= from_infinity:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     float d = 0
//=     for c in 0 .. cols  (in order)
//=       float v = x[r * cols + c]
//=       float n = fmaxf(m, v)
//=       d = d * expf(m - n) + expf(v - n)
//=       m = n
//=     y[r] = m + logf(d)
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= online_by_branches:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     float d = 0
//=     for c in 0 .. cols  (reduction)
//=       float v = 2 * x[r * cols + c]
//=       m = max(m, v)
//=     for c in 0 .. cols  (reduction)
//=       float v = 2 * x[r * cols + c]
//=       d += expf(v - m)
//=     y[r] = m + logf(d)
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= scaled_the_wrong_way:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     float d = 0
//=     for c in 0 .. cols  (in order)
//=       float v = x[r * cols + c]
//=       float n = fmaxf(m, v)
//=       d = d * expf(n - m) + expf(v - n)
//=       m = n
//=     y[r] = m + logf(d)
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= used_on_the_way:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     float d = 0
//=     for c in 0 .. cols  (in order)
//=       float v = x[r * cols + c]
//=       float n = fmaxf(m, v)
//=       d = d * expf(m - n) + expf(v - n)
//=       m = n
//=       y[r * cols + c] = d
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= in_two_loops:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     float d = 0
//=     for c in 0 .. cols  (in order)
//=       float v = x[r * cols + c]
//=       float n = fmaxf(m, v)
//=       d = d * expf(m - n) + expf(v - n)
//=       m = n
//=     for c in 0 .. cols  (in order)
//=       float v_2 = 3 * x[r * cols + c]
//=       float n_2 = fmaxf(m, v_2)
//=       d = d * expf(m - n_2) + expf(v_2 - n_2)
//=       m = n_2
//=     y[r] = m + logf(d)
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= welford:
//=   for block in 0 .. grid.x  (independent)
//=     float n = 0
//=     float m = 0
//=     float s = 0
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       n += 1.f
//=       m += v
//=     for c in 0 .. cols  (reduction)
//=       float v = x[block * cols + c]
//=       s += (v - m / n) * (v - m / n)
//=     mean[block] = m / n
//=     var[block] = s / n
//=   needs block.x == 64: as many threads cooperate
//=   needs x and mean apart
//=   needs mean and var apart
//=   needs x and var apart
//= no_welford:
//=   for r in 0 .. rows  (independent)
//=     float n = 0
//=     float m = 0
//=     float s = 0
//=     for c in 0 .. cols  (in order)
//=       float d = x[r * cols + c] - m
//=       n += 1
//=       m += d / n
//=       s += d * d
//=     y[r] = s / n
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= own_elements:
//=   for block in 0 .. grid.x  (independent)
//=     float s = 0
//=     for k_all in 0 .. 128  (reduction)
//=       s += x[128 * block + k_all]
//=     y[block] = s
//=   needs block.x == 32: rows of threads share the work
//=   needs x and y apart
//= changed_before:
//=   line 281: what is written here is no sum or maximum over the block
//= label_or_nothing:
//=   for block in 0 .. grid.x  (independent)
//=     float s = 0
//=     for c in 0 .. cols  (reduction)
//=       s += x[block * cols + c]
//=     int l = label[block]
//=     if l < 0 || l >= cols
//=       y[block] = 0
//=     else
//=       y[block] = s - x[block * cols + l]
//=   needs block.x == 32: as many threads cooperate
//=   needs x and y apart
//= by_an_object:
//=   for r in 0 .. rows  (independent)
//=     float m = -INFINITY
//=     for c in 0 .. cols  (reduction)
//=       float b = x[r * cols + c]
//=       m = max(m, b)
//=     y[r] = m
//=   needs grid.x * block.x >= rows: the launch has a thread for every r
//=   needs x and y apart
//= by_an_object_that_holds:
//=   line 321: an expression of a kind that is not known here
//= by_a_copy:
//=   line 333: a lambda that has copies of what is around it, or that is not only called
