// A branch in which a thread works out what it then brings to all: the names that it declares stand for what they are.
#define ADD_UP                                                          \
  sh[threadIdx.x] = v;                                                  \
  __syncthreads();                                                      \
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {                        \
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];        \
    __syncthreads();                                                    \
  }

#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n], y[n]) inout(sum[1]) launch((n + 255) / 256, 256)
__global__ void squares(const float *x, const float *y, float *sum, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    const float d = x[i] - y[i];
    v = d * d;
  }
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0]);
}

// Two values, the second made of the first; a share for each block.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n], y[n]) out(part[(n + 127) / 128]) launch((n + 127) / 128, 128)
__global__ void huber(const float *x, const float *y, float *part, int n) {
  __shared__ float sh[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0, a = 0;
  if (i < n) {
    const int at = i;
    a = fabsf(x[at] - y[at]);
    v = a < 1 ? a * a : 2 * a - 1;
  }
  ADD_UP
  if (threadIdx.x == 0) part[blockIdx.x] = sh[0];
}

// What the branch declares was read before the branch changes it.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(sum[1]) launch((n + 255) / 256, 256)
__global__ void exchanged(const float *x, float *sum, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 1, w = 2;
  if (i < n) {
    const float before = v;
    v = w * x[i];
    w = before;
  }
  v += w;
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0]);
}

// The condition holds no more once the first value is another.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(sum[1]) launch((n + 255) / 256, 256)
__global__ void once(const float *x, float *sum, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  int open = i < n;
  if (open == 1) {
    open = 0;
    v = x[i];
  }
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0] + open);
}

// The branch stores, too.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) out(y[n]) inout(sum[1]) launch((n + 255) / 256, 256)
__global__ void stored(const float *x, float *y, float *sum, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    const float twice = 2 * x[i];
    y[i] = twice;
    v = twice;
  }
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0]);
}

// A name that changes in the branch stands for nothing else.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(sum[1]) launch((n + 255) / 256, 256)
__global__ void changed(const float *x, float *sum, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    float d = x[i];
    d *= 3;
    v = d;
  }
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0]);
}

// What the branch declares is drawn once.
#pragma cupilot optimize
#pragma cupilot workload(a) set(n = 5000) in(x[n]) inout(sum[1], next[1]) launch((n + 255) / 256, 256)
__global__ void numbered(const float *x, float *sum, int *next, int n) {
  __shared__ float sh[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  if (i < n) {
    const int turn = atomicAdd(next, 1);
    v = turn * x[i] + turn;
  }
  ADD_UP
  if (threadIdx.x == 0) atomicAdd(sum, sh[0]);
}
//= squares:
//=   float total = 0.0f
//=   for block_t in 0 .. n  (reduction)
//=     total += (x[block_t] - y[block_t]) * (x[block_t] - y[block_t])
//=   sum[0] += total  (many may)
//=   needs block.x == 256: as many threads cooperate
//=   needs block.x * grid.x >= n: no element is left out
//=   needs x and sum apart
//=   needs y and sum apart
//= huber:
//=   for block in 0 .. grid.x  (independent)
//=     float total = 0.0f
//=     for t in 0 .. block.x  (reduction)
//=       total += block * block.x + t < n ? (block * block.x + t < n ? fabsf(x[block * block.x + t] - y[block * block.x + t]) : 0) < 1 ? (block * block.x + t < n ? fabsf(x[block * block.x + t] - y[block * block.x + t]) : 0) * (block * block.x + t < n ? fabsf(x[block * block.x + t] - y[block * block.x + t]) : 0) : 2 * (block * block.x + t < n ? fabsf(x[block * block.x + t] - y[block * block.x + t]) : 0) - 1 : 0
//=     part[block] = total
//=   needs block.x == 128: as many threads cooperate
//=   needs x and part apart
//=   needs y and part apart
//= exchanged:
//=   line 54: what is written here is no sum or maximum over the block
//= once:
//=   line 70: what is written here is no sum or maximum over the block
//= stored:
//=   line 86: what is written here is no sum or maximum over the block
//= changed:
//=   line 102: what is written here is no sum or maximum over the block
//= numbered:
//=   line 113: the result of an atomic operation is used
