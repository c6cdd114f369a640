// SPDX-License-Identifier: Apache-2.0
//
// Activations, normalisations and losses in many hands (KernelBench level 1: 19 to 40, 94 to 100). Nothing was written
// for these kernels, or they for what is lifted: what lifts of them is how far lifting reaches.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

namespace cg = cooperative_groups;

#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu
#define IDX2(r, c, ld) ((size_t)(r) * (ld) + (c))
#define CUDA_KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define CFLOAT4(p) (reinterpret_cast<const float4 *>(p)[0])

__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = WARP_SIZE / 2; o > 0; o >>= 1) v += __shfl_xor_sync(FULL_MASK, v, o);
  return v;
}

__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int o = WARP_SIZE / 2; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, o));
  return v;
}

// Every thread gets the sum. `scratch` holds at least 33 floats; blockDim.x is a multiple of 32.
__device__ float block_sum(float v, float *scratch) {
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5, nw = blockDim.x >> 5;
  v = warp_sum(v);
  if (lane == 0) scratch[wid] = v;
  __syncthreads();
  if (wid == 0) {
    float t = lane < nw ? scratch[lane] : 0.f;
    t = warp_sum(t);
    if (lane == 0) scratch[32] = t;
  }
  __syncthreads();
  v = scratch[32];
  __syncthreads();
  return v;
}

// ---------------------------------------------------------------- activations

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) inout(data[n]) launch(2048, 256)
#pragma cupilot workload(small) set(n = 13003) inout(data[n]) launch(8, 256) check
__global__ void relu_inplace(float *data, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    if (data[i] < 0.0f) data[i] = 0.0f;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26, slope = 0.01) in(x[n]) out(y[n]) launch((n / 4 + 256) / 256, 256)
#pragma cupilot workload(small) set(n = 7919, slope = 0.01) in(x[n]) out(y[n]) launch((n / 4 + 256) / 256, 256) check
__global__ void leaky_relu_vec4(const float *__restrict__ x, float *__restrict__ y, float slope, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < n) {
    float4 v = reinterpret_cast<const float4 *>(x + i)[0];
    v.x = v.x > 0 ? v.x : slope * v.x;
    v.y = v.y > 0 ? v.y : slope * v.y;
    v.z = v.z > 0 ? v.z : slope * v.z;
    v.w = v.w > 0 ? v.w : slope * v.w;
    reinterpret_cast<float4 *>(y + i)[0] = v;
  } else {
    for (; i < n; ++i) y[i] = x[i] > 0 ? x[i] : slope * x[i];
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 100000000) in(in[n]) out(out[n]) launch((n / 2 + 512) / 512, 512)
#pragma cupilot workload(small) set(n = 5001) in(in[n]) out(out[n]) launch((n / 2 + 512) / 512, 512) check
__global__ void sigmoid_half2(const half *in, half *out, int n) {
  const int pairs = n >> 1;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < pairs) {
    float2 f = __half22float2(reinterpret_cast<const half2 *>(in)[t]);
    f.x = 1.f / (1.f + __expf(-f.x));
    f.y = 1.f / (1.f + __expf(-f.y));
    reinterpret_cast<half2 *>(out)[t] = __float22half2_rn(f);
  } else if (t == pairs && (n & 1)) {
    float f = __half2float(in[n - 1]);
    out[n - 1] = __float2half(1.f / (1.f + __expf(-f)));
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 4096, N = 16384) in(A[M * N]) out(B[M * N]) \
    launch(dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8))
#pragma cupilot workload(small) set(M = 51, N = 143) in(A[M * N]) out(B[M * N]) \
    launch(dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)) check
__global__ void tanh_2d(const float *A, float *B, int M, int N) {
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (row >= M || col >= N) return;
  B[IDX2(row, col, N)] = tanhf(A[IDX2(row, col, N)]);
}

__device__ __forceinline__ float silu(float v) { return v / (1.0f + expf(-v)); }

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 100000000) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 1024)
#pragma cupilot workload(small) set(n = 10241) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 1024) check
__global__ void swish_bf16(const __nv_bfloat16 *x, __nv_bfloat16 *y, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n) y[tid] = __float2bfloat16(silu(__bfloat162float(x[tid])));
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256)
#pragma cupilot workload(small) set(n = 9973) in(x[n]) out(y[n]) launch((n + 1023) / 1024, 256) check
__global__ void gelu_tanh_tiled(const float *__restrict__ x, float *__restrict__ y, const int n) {
  constexpr int ITEMS = 4;
  constexpr float kAlpha = 0.7978845608028654f, kBeta = 0.044715f;
  int base = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
#pragma unroll
  for (int k = 0; k < ITEMS; k++) {
    int i = base + k * blockDim.x;
    if (i < n) {
      float v = x[i];
      float inner = kAlpha * fmaf(kBeta * v * v, v, v);
      y[i] = 0.5f * v * (1.0f + tanhf(inner));
    }
  }
}

template <typename T>
struct GeluErf {
  __device__ T operator()(T v) const {
    float f = static_cast<float>(v);
    return static_cast<T>(0.5f * f * (1.0f + erff(f * 0.70710678118654752f)));
  }
};

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(in[n]) out(out[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 6007) in(in[n]) out(out[n]) launch((n + 255) / 256, 256) check
template <typename T, template <typename> class Op>
__global__ void unary_kernel(const T *in, T *out, int n) {
  Op<T> op;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = op(in[i]);
}

void launch_gelu_erf(const float *in, float *out, int n, cudaStream_t stream) {
  unary_kernel<float, GeluErf><<<(n + 255) / 256, 256, 0, stream>>>(in, out, n);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25, beta = 1.0, threshold = 20.0) in(x[n]) out(y[n]) launch((n + 127) / 128, 128)
#pragma cupilot workload(small) set(n = 4321, beta = 1.5, threshold = 20.0) in(x[n]) out(y[n]) launch((n + 127) / 128, 128) check
__global__ void softplus_f64(const double *x, double *y, double beta, double threshold, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  const double z = x[i] * beta;
  y[i] = z > threshold ? x[i] : log1p(exp(z)) / beta;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 16, C = 64, HW = 256 * 256) in(src[N * C * HW]) out(dst[N * C * HW]) \
    launch(dim3((HW + 255) / 256, C, N), 256)
#pragma cupilot workload(small) set(N = 2, C = 5, HW = 31 * 37) in(src[N * C * HW]) out(dst[N * C * HW]) \
    launch(dim3((HW + 255) / 256, C, N), 256) check
__global__ void softsign_nchw(const float *src, float *dst, int N, int C, int HW) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y;
  int n = blockIdx.z;
  if (p < HW) {
    size_t off = ((size_t)n * C + c) * HW + p;
    dst[off] = src[off] / (1.f + fabsf(src[off]));
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(count = 1 << 26, alpha = 1.0) in(bottom[count]) out(top[count]) launch((count + 511) / 512, 512)
#pragma cupilot workload(small) set(count = 11117, alpha = 0.7) in(bottom[count]) out(top[count]) launch(7, 512) check
__global__ void elu_forward(const int count, const float *bottom, float *top, const float alpha) {
  CUDA_KERNEL_LOOP(index, count) { top[index] = fmaxf(bottom[index], 0.f) + alpha * (expf(fminf(bottom[index], 0.f)) - 1.f); }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 8192, cols = 4096, lo = -1.0, hi = 1.0) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((rows + 15) / 16, (cols + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(rows = 83, cols = 45, lo = -0.5, hi = 0.75) in(x[rows * cols]) out(y[rows * cols]) \
    launch(dim3((rows + 15) / 16, (cols + 15) / 16), dim3(16, 16)) check
__global__ void hardtanh_row_on_x(const float *x, float *y, int rows, int cols, float lo, float hi) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // row
  const int j = blockIdx.y * blockDim.y + threadIdx.y;  // column
  if (i < rows && j < cols) {
    const float *row = x + i * cols;
    float *dst = y + i * cols;
    float v = row[j];
    if (v < lo) v = lo;
    else if (v > hi) v = hi;
    dst[j] = v;
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) out(y[n], neg[n]) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 8009) in(x[n]) out(y[n], neg[n]) launch((n + 255) / 256, 256) check
__global__ void selu_keep_negative(const float *x, float *y, float *neg, unsigned n) {
  const float alpha = 1.6732632423543772f, scale = 1.0507009873554805f;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  if (v > 0.f) {
    neg[i] = 0.f;
    y[i] = v *= scale;
  } else {
    y[i] = neg[i] = scale * alpha * expm1f(v);
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256)
#pragma cupilot workload(small) set(n = 20011) in(x[n]) out(y[n]) launch((n + 2047) / 2048, 256) check
__global__ void hardsigmoid_eight_each(const float *x, float *y, int n) {
  int start = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (start >= n) return;
  int left = n - start < 8 ? n - start : 8;
  float v[8];
  const float *p = x + start;
  for (int k = 0; k < left; k++) v[k] = *p++;
  for (int k = 0; k < left; k++) v[k] = __saturatef(v[k] * (1.0f / 6.0f) + 0.5f);
  float *q = y + start;
  for (int k = 0; k < left; k++) *q++ = v[k];
}

// ---------------------------------------------------------------- softmax family

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4096, cols = 16384) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
#pragma cupilot workload(small) set(rows = 29, cols = 611) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256) check
__global__ void log_softmax_tree(const float *x, float *y, int rows, int cols) {
  __shared__ float buf[256];
  const int tid = threadIdx.x;
  const float *in = x + (size_t)blockIdx.x * cols;
  float *out = y + (size_t)blockIdx.x * cols;

  float m = -FLT_MAX;
  for (int c = tid; c < cols; c += blockDim.x) m = fmaxf(m, in[c]);
  buf[tid] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) buf[tid] = fmaxf(buf[tid], buf[tid + s]);
    __syncthreads();
  }
  m = buf[0];
  __syncthreads();

  float sum = 0.f;
  for (int c = tid; c < cols; c += blockDim.x) sum += expf(in[c] - m);
  buf[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) buf[tid] += buf[tid + s];
    __syncthreads();
  }
  const float lse = m + logf(buf[0]);
  for (int c = tid; c < cols; c += blockDim.x) out[c] = in[c] - lse;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(r = 65536, n = 512) in(x[r * n]) out(y[r * n]) launch((r + 127) / 128, 128)
#pragma cupilot workload(small) set(r = 131, n = 77) in(x[r * n]) out(y[r * n]) launch((r + 127) / 128, 128) check
__global__ void softmax_thread_per_row(const float *x, float *y, int r, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= r) return;
  const float *begin = x + (long)row * n, *end = begin + n;
  float *dst = y + (long)row * n;

  float biggest = *begin;
  for (const float *p = begin + 1; p != end; ++p)
    if (*p > biggest) biggest = *p;

  float total = 0;
  float *q = dst;
  for (const float *p = begin; p != end;) total += *q++ = expf(*p++ - biggest);

  const float inv = 1 / total;
  for (q = dst; q != dst + n; ++q) *q *= inv;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 65536, cols = 1000) in(logits[rows * cols]) out(probs[rows * cols]) \
    launch((rows + 3) / 4, dim3(32, 4))
#pragma cupilot workload(small) set(rows = 45, cols = 93) in(logits[rows * cols]) out(probs[rows * cols]) \
    launch((rows + 3) / 4, dim3(32, 4)) check
__global__ void softmax_warp_per_row(const float *__restrict__ logits, float *__restrict__ probs, int rows, int cols) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float *src = logits + (size_t)row * cols;
  float *dst = probs + (size_t)row * cols;
  float mx = -INFINITY;
  for (int c = threadIdx.x; c < cols; c += WARP_SIZE) mx = fmaxf(mx, src[c]);
  mx = warp_max(mx);
  float sum = 0.f;
  for (int c = threadIdx.x; c < cols; c += WARP_SIZE) {
    float e = __expf(src[c] - mx);
    dst[c] = e;
    sum += e;
  }
  sum = warp_sum(sum);
  for (int c = threadIdx.x; c < cols; c += WARP_SIZE) dst[c] = __fdividef(dst[c], sum);
}

struct __align__(8) MD {
  float m;
  float d;
};

struct MDMerge {
  __device__ __forceinline__ MD operator()(const MD &a, const MD &b) const {
    const bool a_bigger = a.m > b.m;
    const MD hi = a_bigger ? a : b, lo = a_bigger ? b : a;
    MD res;
    res.m = hi.m;
    res.d = hi.d + lo.d * __expf(lo.m - hi.m);
    return res;
  }
};

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 2048, V = 32000) in(x[batch * V]) out(y[batch * V]) launch(batch, 256)
#pragma cupilot workload(small) set(batch = 7, V = 1003) in(x[batch * V]) out(y[batch * V]) launch(batch, 256) check
template <int THREADS>
__launch_bounds__(THREADS) __global__ void online_softmax(const float *__restrict__ x, float *__restrict__ y, int V) {
  x += (size_t)blockIdx.x * V;
  y += (size_t)blockIdx.x * V;
  typedef cub::BlockReduce<MD, THREADS> BlockReduce;
  __shared__ typename BlockReduce::TempStorage temp;
  __shared__ MD md_total;

  MDMerge merge;
  MD partial{-FLT_MAX, 0.0f};
  for (int i = threadIdx.x; i < V; i += THREADS) partial = merge(partial, MD{x[i], 1.0f});
  MD total = BlockReduce(temp).Reduce(partial, merge);
  if (threadIdx.x == 0) md_total = total;
  __syncthreads();

  const float inv = __fdividef(1.0f, md_total.d);
  for (int i = threadIdx.x; i < V; i += THREADS) y[i] = __expf(x[i] - md_total.m) * inv;
}

void launch_online_softmax(const float *x, float *y, int batch, int V) { online_softmax<256><<<batch, 256>>>(x, y, V); }

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 16, C = 21, H = 384, W = 384) in(x[N * C * H * W]) out(y[N * C * H * W]) \
    launch(dim3((W + 31) / 32, (H + 7) / 8, N), dim3(32, 8, 1))
#pragma cupilot workload(small) set(N = 2, C = 11, H = 19, W = 45) in(x[N * C * H * W]) out(y[N * C * H * W]) \
    launch(dim3((W + 31) / 32, (H + 7) / 8, N), dim3(32, 8, 1)) check
__global__ void log_softmax_channels(const float *x, float *y, int N, int C, int H, int W) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  int h = blockIdx.y * blockDim.y + threadIdx.y;
  int b = blockIdx.z;
  if (w >= W || h >= H) return;
  const int plane = H * W;
  const int first = b * C * plane + h * W + w;
  float top = -INFINITY, sum = 0.0f;
  for (int c = 0; c < C; ++c) top = max(top, x[first + c * plane]);
  for (int c = 0; c < C; ++c) sum += expf(x[first + c * plane] - top);
  float shift = top + logf(sum);
  for (int c = 0; c < C; ++c) y[first + c * plane] = x[first + c * plane] - shift;
}

// ---------------------------------------------------------------- norms

#pragma cupilot optimize
#pragma cupilot workload(large) set(total = 32 * 64 * 128 * 128, C = 64, HW = 128 * 128, eps = 1e-5) \
    in(x[total], gamma[C], beta[C], mean[C], var[C]) out(y[total]) fill(var = randint(1, 5)) launch((total + 255) / 256, 256)
#pragma cupilot workload(small) set(total = 3 * 7 * 13 * 17, C = 7, HW = 13 * 17, eps = 1e-5) \
    in(x[total], gamma[C], beta[C], mean[C], var[C]) out(y[total]) fill(var = randint(1, 5)) launch((total + 255) / 256, 256) check
__global__ void batchnorm_inference(const float *x, const float *gamma, const float *beta, const float *mean, const float *var,
                                    float *y, int total, int C, int HW, float eps) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= total) return;
  int c = (idx / HW) % C;
  float norm = (x[idx] - mean[c]) / sqrtf(var[c] + eps);
  y[idx] = gamma[c] * norm + beta[c];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 64, C = 256, S = 56 * 56) in(x[N * C * S]) out(mean[C], var[C]) launch(C, 512)
#pragma cupilot workload(small) set(N = 5, C = 9, S = 11 * 13) in(x[N * C * S]) out(mean[C], var[C]) launch(C, 512) check
__global__ void batchnorm_stats(const float *__restrict__ x, float *__restrict__ mean, float *__restrict__ var, int N, int C, int S) {
  __shared__ double sums[16], squares[16];
  int c = blockIdx.x;
  double s = 0, ss = 0;
  for (int n = 0; n < N; n++) {
    const float *plane = x + ((size_t)n * C + c) * S;
    for (int i = threadIdx.x; i < S; i += blockDim.x) {
      float v = plane[i];
      s += v;
      ss += (double)v * v;
    }
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_down_sync(FULL_MASK, s, o);
    ss += __shfl_down_sync(FULL_MASK, ss, o);
  }
  if (!(threadIdx.x & 31)) {
    sums[threadIdx.x >> 5] = s;
    squares[threadIdx.x >> 5] = ss;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++) {
      s += sums[w];
      ss += squares[w];
    }
    const double count = (double)N * S;
    double mu = s / count;
    mean[c] = (float)mu;
    var[c] = (float)(ss / count - mu * mu);
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(B = 16, C = 64, H = 224, W = 224, eps = 1e-5) in(x[B * C * H * W]) out(y[B * C * H * W]) launch(dim3(C, B), 256)
#pragma cupilot workload(small) set(B = 3, C = 5, H = 23, W = 29, eps = 1e-5) in(x[B * C * H * W]) out(y[B * C * H * W]) launch(dim3(C, B), 256) check
__global__ void instance_norm(const float *x, float *y, int B, int C, int H, int W, float eps) {
  __shared__ float s_sum[256];
  __shared__ float s_sq[256];
  const int size = H * W;
  const int base = (blockIdx.y * C + blockIdx.x) * size;
  const int t = threadIdx.x;
  float sum = 0.0f, sq = 0.0f;
  for (int i = t; i < size; i += blockDim.x) {
    float v = x[base + i];
    sum += v;
    sq += v * v;
  }
  s_sum[t] = sum;
  s_sq[t] = sq;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      s_sum[t] += s_sum[t + s];
      s_sq[t] += s_sq[t + s];
    }
    __syncthreads();
  }
  const float mean = s_sum[0] / size;
  const float var = s_sq[0] / size - mean * mean;
  const float rstd = rsqrtf(fmaxf(var, 0.0f) + eps);
  for (int i = t; i < size; i += blockDim.x) y[base + i] = (x[base + i] - mean) * rstd;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(N = 32, C = 128, G = 8, HW = 112 * 112, eps = 1e-5) in(X[N * C * HW], gamma[C], beta[C]) \
    out(Y[N * C * HW]) launch(N * G, 512)
#pragma cupilot workload(small) set(N = 2, C = 12, G = 4, HW = 9 * 15, eps = 1e-5) in(X[N * C * HW], gamma[C], beta[C]) \
    out(Y[N * C * HW]) launch(N * G, 512) check
__global__ void group_norm_cub(const float *X, const float *gamma, const float *beta, float *Y, int N, int C, int G, int HW, float eps) {
  using BlockReduce = cub::BlockReduce<float, 512>;
  __shared__ typename BlockReduce::TempStorage mean_storage, var_storage;
  __shared__ float mu, rsigma;

  const int g = blockIdx.x % G, D = C / G;
  const int inner = D * HW;
  const float *xs = X + (int64_t)blockIdx.x * inner;
  float *ys = Y + (int64_t)blockIdx.x * inner;

  float acc = 0.f;
  for (int i = threadIdx.x; i < inner; i += 512) acc += xs[i];
  acc = BlockReduce(mean_storage).Sum(acc);
  if (threadIdx.x == 0) mu = acc / inner;
  __syncthreads();

  acc = 0.f;
  for (int i = threadIdx.x; i < inner; i += 512) {
    const float d = xs[i] - mu;
    acc += d * d;
  }
  acc = BlockReduce(var_storage).Sum(acc);
  if (threadIdx.x == 0) rsigma = rsqrtf(acc / inner + eps);
  __syncthreads();

  for (int i = threadIdx.x; i < inner; i += 512) {
    const int ch = g * D + i / HW;
    ys[i] = (xs[i] - mu) * rsigma * gamma[ch] + beta[ch];
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 16, features = 64, plane = 256 * 256, eps = 1e-5) in(x[batch * features * plane]) \
    out(y[batch * features * plane]) launch(dim3((plane + 255) / 256, batch), 256)
#pragma cupilot workload(small) set(batch = 3, features = 17, plane = 21 * 23, eps = 1e-5) in(x[batch * features * plane]) \
    out(y[batch * features * plane]) launch(dim3((plane + 255) / 256, batch), 256) check
__global__ void rms_norm_channels(const float *x, float *y, int batch, int features, int plane, float eps) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= plane) return;
  const float *src = x + (size_t)blockIdx.y * features * plane + p;
  float *dst = y + (size_t)blockIdx.y * features * plane + p;
  float ms = 0.f;
  for (int f = 0; f < features; f++, src += plane) ms += *src * *src;
  src -= (size_t)features * plane;
  const float rms = sqrtf(ms / features + eps);
  for (int f = 0; f < features; f++, src += plane, dst += plane) *dst = *src / rms;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(tokens = 16384, hidden = 4096, eps = 1e-6) in(x[tokens * hidden], w[hidden]) out(y[tokens * hidden]) launch(tokens, 512)
#pragma cupilot workload(small) set(tokens = 19, hidden = 333, eps = 1e-6) in(x[tokens * hidden], w[hidden]) out(y[tokens * hidden]) launch(tokens, 512) check
__global__ void rms_norm_bf16(const __nv_bfloat16 *__restrict__ x, const __nv_bfloat16 *__restrict__ w, __nv_bfloat16 *__restrict__ y,
                              int hidden, float eps) {
  __shared__ float scratch[33];
  const __nv_bfloat16 *row = x + (size_t)blockIdx.x * hidden;
  __nv_bfloat16 *o = y + (size_t)blockIdx.x * hidden;
  float sq = 0.f;
  for (int i = threadIdx.x; i < hidden; i += blockDim.x) {
    float v = __bfloat162float(row[i]);
    sq = fmaf(v, v, sq);
  }
  sq = block_sum(sq, scratch);
  float scale = rsqrtf(sq / hidden + eps);
  for (int i = threadIdx.x; i < hidden; i += blockDim.x)
    o[i] = __float2bfloat16(__bfloat162float(row[i]) * scale * __bfloat162float(w[i]));
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n]) inout(sumsq[1]) launch(1024, 256)
#pragma cupilot workload(small) set(n = 30011) in(x[n]) inout(sumsq[1]) launch(5, 256) check
__global__ void frobenius_sumsq(const float *__restrict__ x, float *sumsq, size_t n) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const size_t nvec = n / 4;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const float4 *x4 = reinterpret_cast<const float4 *>(x);
  float acc = 0.f;
  for (size_t i = first; i < nvec; i += stride) {
    float4 v = x4[i];
    acc += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (size_t i = nvec * 4 + first; i < n; i += stride) acc += x[i] * x[i];
  acc = cg::reduce(warp, acc, cg::plus<float>());
  if (warp.thread_rank() == 0) atomicAdd(sumsq, acc);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 26) in(x[n], norm[1]) out(y[n]) launch((n + 511) / 512, 512)
#pragma cupilot workload(small) set(n = 3077) in(x[n], norm[1]) out(y[n]) launch((n + 511) / 512, 512) check
__global__ void frobenius_divide(const float *x, const float *norm, float *y, long n) {
  long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / *norm;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 2048, dim = 32768) in(x[rows * dim]) out(y[rows * dim]) launch(rows, 1024)
#pragma cupilot workload(small) set(rows = 13, dim = 1501) in(x[rows * dim]) out(y[rows * dim]) launch(rows, 1024) check
__global__ void l1_norm(const float *x, float *y, int rows, int dim) {
  __shared__ float warp_totals[32];
  __shared__ float mean_abs;
  int row = blockIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float s = 0;
  for (int j = threadIdx.x; j < dim; j += blockDim.x) s += fabsf(x[(size_t)row * dim + j]);
  for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(FULL_MASK, s, offset);
  if (lane == 0) warp_totals[warp] = s;
  __syncthreads();
  if (warp == 0) {
    s = lane < blockDim.x / 32 ? warp_totals[lane] : 0;
    for (int offset = 16; offset > 0; offset /= 2) s += __shfl_down_sync(FULL_MASK, s, offset);
    if (lane == 0) mean_abs = s / dim;
  }
  __syncthreads();
  for (int j = threadIdx.x; j < dim; j += blockDim.x) y[(size_t)row * dim + j] = x[(size_t)row * dim + j] / mean_abs;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 131072, dim = 384) in(x[rows * dim]) out(y[rows * dim]) launch((rows + 7) / 8, 256)
#pragma cupilot workload(small) set(rows = 37, dim = 101) in(x[rows * dim]) out(y[rows * dim]) launch((rows + 7) / 8, 256) check
__global__ void l2_normalize_tiles(const float *x, float *y, int rows, int dim) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
  if (row >= rows) return;
  x += (size_t)row * dim;
  y += (size_t)row * dim;
  float s = 0;
  for (int d = warp.thread_rank(); d < dim; d += warp.size()) s += x[d] * x[d];
  s = cg::reduce(warp, s, cg::plus<float>());
  float inv = 1.0f / fmaxf(sqrtf(s), 1e-12f);
  for (int d = warp.thread_rank(); d < dim; d += warp.size()) y[d] = x[d] * inv;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(M = 8192, N = 8192) in(x[M * N], gamma[N], beta[N]) out(y[M * N]) launch(M, 256, N * 4)
#pragma cupilot workload(small) set(M = 23, N = 517) in(x[M * N], gamma[N], beta[N]) out(y[M * N]) launch(M, 256, N * 4) check
__global__ void layer_norm_staged(const float *x, const float *gamma, const float *beta, float *y, int M, int N) {
  extern __shared__ float cache[];
  __shared__ float scratch[33];
  const float *src = x + (size_t)blockIdx.x * N;
  float part = 0.f;
  for (int i = threadIdx.x; i < N; i += blockDim.x) part += cache[i] = src[i];
  const float mean = block_sum(part, scratch) / N;
  part = 0.f;
  for (int i = threadIdx.x; i < N; i += blockDim.x) {
    float d = cache[i] -= mean;
    part += d * d;
  }
  const float rstd = rsqrtf(block_sum(part, scratch) / N + 1e-5f);
  for (int i = threadIdx.x; i < N; i += blockDim.x) y[(size_t)blockIdx.x * N + i] = cache[i] * rstd * gamma[i] + beta[i];
}

struct Welford {
  float mean = 0.f, m2 = 0.f, count = 0.f;
  __device__ void push(float v) {
    count += 1.f;
    float delta = v - mean;
    mean += delta / count;
    m2 += delta * (v - mean);
  }
  __device__ void merge(float other_mean, float other_m2, float other_count) {
    if (other_count == 0.f) return;
    float n = count + other_count, delta = other_mean - mean;
    mean += delta * other_count / n;
    m2 += other_m2 + delta * delta * count * other_count / n;
    count = n;
  }
};

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 65536, cols = 1024, eps = 1e-5) in(x[rows * cols], gamma[cols], beta[cols]) \
    out(y[rows * cols], mean[rows], rstd[rows]) launch((rows + 3) / 4, dim3(32, 4))
#pragma cupilot workload(small) set(rows = 39, cols = 205, eps = 1e-5) in(x[rows * cols], gamma[cols], beta[cols]) \
    out(y[rows * cols], mean[rows], rstd[rows]) launch((rows + 3) / 4, dim3(32, 4)) check
__global__ void layer_norm_welford(const float *__restrict__ x, const float *__restrict__ gamma, const float *__restrict__ beta,
                                   float *__restrict__ y, float *__restrict__ mean, float *__restrict__ rstd, int rows, int cols,
                                   float eps) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float *in = &x[(size_t)row * cols];
  Welford w;
  for (int c = threadIdx.x; c < cols; c += 32) w.push(in[c]);
#pragma unroll
  for (int o = 16; o >= 1; o /= 2) {
    float om = __shfl_down_sync(FULL_MASK, w.mean, o);
    float o2 = __shfl_down_sync(FULL_MASK, w.m2, o);
    float oc = __shfl_down_sync(FULL_MASK, w.count, o);
    w.merge(om, o2, oc);
  }
  float mu = __shfl_sync(FULL_MASK, w.mean, 0);
  float inv = rsqrtf(__shfl_sync(FULL_MASK, w.m2, 0) / cols + eps);
  if (threadIdx.x == 0) {
    mean[row] = mu;
    rstd[row] = inv;
  }
  for (int c = threadIdx.x; c < cols; c += 32) y[(size_t)row * cols + c] = (in[c] - mu) * inv * gamma[c] + beta[c];
}

// ---------------------------------------------------------------- losses

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25) in(pred[n], target[n]) inout(loss[1]) launch(2048, 256)
#pragma cupilot workload(small) set(n = 17011) in(pred[n], target[n]) inout(loss[1]) launch(20, 256) check
template <typename T, int BLOCK>
__global__ void mse_atomic(const T *pred, const T *target, float *loss, int n) {
  using Reduce = cub::BlockReduce<float, BLOCK>;
  __shared__ typename Reduce::TempStorage storage;
  float mine = 0.f;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    const float diff = static_cast<float>(pred[i]) - static_cast<float>(target[i]);
    mine += diff * diff;
  }
  const float sum = Reduce(storage).Sum(mine);
  if (threadIdx.x == 0) atomicAdd(loss, sum / n);
}

void launch_mse(const half *pred, const half *target, float *loss, int n) {
  mse_atomic<half, 256><<<2048, 256>>>(pred, target, loss, n);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 1 << 20, classes = 50) in(logits[batch * classes], labels[batch]) out(loss[batch]) \
    fill(labels = randint(0, 50)) launch((batch + 255) / 256, 256)
#pragma cupilot workload(small) set(batch = 259, classes = 13) in(logits[batch * classes], labels[batch]) out(loss[batch]) \
    fill(labels = randint(0, 13)) launch((batch + 255) / 256, 256) check
__global__ void cross_entropy_naive(const float *logits, const int64_t *labels, float *loss, int batch, int classes) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < batch) {
    const float *row = logits + b * classes;
    float max_val = row[0];
    for (int k = 1; k < classes; k++) max_val = fmaxf(max_val, row[k]);
    float sum_exp = 0.0f;
    for (int k = 0; k < classes; k++) sum_exp += expf(row[k] - max_val);
    loss[b] = -(row[labels[b]] - max_val - logf(sum_exp));
  }
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(T = 2048, V = 32768) in(logits[T * V], targets[T]) inout(total[1]) fill(targets = randint(0, 32768)) \
    launch(T, 512)
#pragma cupilot workload(small) set(T = 11, V = 1237) in(logits[T * V], targets[T]) inout(total[1]) fill(targets = randint(0, 1237)) \
    launch(T, 512) check
__global__ void cross_entropy_vocab(const __half *logits, const int *targets, float *total, int T, int V) {
  __shared__ float s_max[16], s_sum[16];
  const __half *row = logits + (size_t)blockIdx.x * V;
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  float m = -INFINITY;
  for (int v = threadIdx.x; v < V; v += blockDim.x) m = fmaxf(m, __half2float(row[v]));
  m = warp_max(m);
  if (lane == 0) s_max[wid] = m;
  __syncthreads();
  for (int w = 0; w < 16; ++w) m = fmaxf(m, s_max[w]);
  float s = 0.f;
  for (int v = threadIdx.x; v < V; v += blockDim.x) s += __expf(__half2float(row[v]) - m);
  s = warp_sum(s);
  if (lane == 0) s_sum[wid] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    s = 0.f;
    for (int w = 0; w < 16; ++w) s += s_sum[w];
    atomicAdd(total, (m + logf(s) - __half2float(row[targets[blockIdx.x]])) / T);
  }
}

__device__ inline float smooth_l1(float d, float beta) {
  d = fabsf(d);
  return d < beta ? 0.5f * d * d / beta : d - 0.5f * beta;
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25, beta = 1.0) in(p[n], t[n]) out(partial[1024]) launch(1024, 256)
#pragma cupilot workload(small) set(n = 25003, beta = 0.5) in(p[n], t[n]) out(partial[12]) launch(12, 256) check
__global__ void smooth_l1_partials(const float *p, const float *t, float *partial, int n, float beta) {
  __shared__ float sh[256];
  float lanes[4] = {0.f, 0.f, 0.f, 0.f};
  const int step = gridDim.x * blockDim.x * 4;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4; i < n; i += step) {
    if (i + 4 <= n) {
      float4 a = CFLOAT4(p + i), b = CFLOAT4(t + i);
      lanes[0] += smooth_l1(a.x - b.x, beta);
      lanes[1] += smooth_l1(a.y - b.y, beta);
      lanes[2] += smooth_l1(a.z - b.z, beta);
      lanes[3] += smooth_l1(a.w - b.w, beta);
    } else {
      for (int k = 0; i + k < n; k++) lanes[k] += smooth_l1(p[i + k] - t[i + k], beta);
    }
  }
  sh[threadIdx.x] = lanes[0] + lanes[1] + lanes[2] + lanes[3];
  __syncthreads();
  for (int s = 128; s >= 1; s /= 2) {
    if (threadIdx.x < s) sh[threadIdx.x] += sh[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sh[0];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(B = 65536, D = 512) in(a[B * D], b[B * D]) out(sim[B]) launch((B + 7) / 8, 256)
#pragma cupilot workload(small) set(B = 53, D = 187) in(a[B * D], b[B * D]) out(sim[B]) launch((B + 7) / 8, 256) check
__global__ void cosine_similarity_warp(const float *a, const float *b, float *sim, int B, int D) {
  int gwarp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE;
  int lane = threadIdx.x % WARP_SIZE;
  if (gwarp >= B) return;
  float3 acc = make_float3(0.f, 0.f, 0.f);  // a.b, a.a, b.b
  for (int d = lane; d < D; d += WARP_SIZE) {
    float u = __ldg(&a[gwarp * D + d]), v = __ldg(&b[gwarp * D + d]);
    acc.x += u * v;
    acc.y += u * u;
    acc.z += v * v;
  }
  acc.x = warp_sum(acc.x);
  acc.y = warp_sum(acc.y);
  acc.z = warp_sum(acc.z);
  if (lane == 0) sim[gwarp] = acc.x / fmaxf(sqrtf(acc.y) * sqrtf(acc.z), 1e-8f);
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 4096, cols = 8192) in(logp[rows * cols], target[rows * cols]) out(kl[rows]) launch(rows, 256)
#pragma cupilot workload(small) set(rows = 31, cols = 409) in(logp[rows * cols], target[rows * cols]) out(kl[rows]) launch(rows, 256) check
__global__ void kl_div_rows(const float *logp, const float *target, float *kl, int rows, int cols) {
  __shared__ float red[256];
  float acc = 0.f;
  const float *lp = logp + blockIdx.x * cols + threadIdx.x, *tg = target + blockIdx.x * cols + threadIdx.x;
  for (int j = threadIdx.x; j < cols; j += blockDim.x, lp += blockDim.x, tg += blockDim.x)
    if (*tg > 0.f) acc += *tg * (logf(*tg) - *lp);
  red[threadIdx.x] = acc;
  __syncthreads();
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (threadIdx.x < s) red[threadIdx.x] += red[threadIdx.x + s];
    __syncthreads();
  }
  if (!threadIdx.x) kl[blockIdx.x] = red[0];
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 8192, dim = 4096) in(pred[batch * dim], label[batch]) inout(loss[1]) \
    launch(dim3((dim + 255) / 256, batch / 32), 256)
#pragma cupilot workload(small) set(batch = 67, dim = 301) in(pred[batch * dim], label[batch]) inout(loss[1]) \
    launch(dim3((dim + 255) / 256, 3), 256) check
__global__ void hinge_loss(const float *pred, const float *label, double *loss, int batch, int dim) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0.0;
  if (j < dim)
    for (int b = blockIdx.y; b < batch; b += gridDim.y) {
      float margin = 1.0f - pred[b * dim + j] * label[b];
      if (margin > 0.0f) sum += margin;
    }
  for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(FULL_MASK, sum, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(loss, sum / ((double)batch * dim));
}

#pragma cupilot optimize
#pragma cupilot workload(large) set(batch = 16384, dim = 1024, margin = 1.0) in(anchor[batch * dim], positive[batch * dim], negative[batch * dim]) \
    out(loss[batch]) launch(batch, 128)
#pragma cupilot workload(small) set(batch = 21, dim = 333, margin = 0.3) in(anchor[batch * dim], positive[batch * dim], negative[batch * dim]) \
    out(loss[batch]) launch(batch, 128) check
__global__ void triplet_margin(const float *__restrict__ anchor, const float *__restrict__ positive, const float *__restrict__ negative,
                               float *__restrict__ loss, float margin, int batch, int dim) {
  __shared__ float2 sums[4];
  const size_t base = (size_t)blockIdx.x * dim;
  float dp = 0.f, dn = 0.f;
  for (int i = threadIdx.x; i < dim; i += blockDim.x) {
    const float a = anchor[base + i];
    const float ep = a - positive[base + i] + 1e-6f, en = a - negative[base + i] + 1e-6f;
    dp += ep * ep, dn += en * en;
  }
  dp = warp_sum(dp);
  dn = warp_sum(dn);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = make_float2(dp, dn);
  __syncthreads();
  if (threadIdx.x == 0) {
    dp = dn = 0.f;
    for (int w = 0; w < 4; w++) dp += sums[w].x, dn += sums[w].y;
    loss[blockIdx.x] = fmaxf(sqrtf(dp) - sqrtf(dn) + margin, 0.f);
  }
}
//= relu_inplace: lifted
//= leaky_relu_vec4: lifted
//= sigmoid_half2: lifted
//= tanh_2d: lifted
//= swish_bf16: lifted
//= gelu_tanh_tiled: lifted
//= unary_kernel.float.GeluErf: line 149 of the kernel contains code that Clang cannot parse
//= softplus_f64: lifted
//= softsign_nchw: lifted
//= elu_forward: lifted
//= hardtanh_row_on_x: lifted
//= selu_keep_negative: lifted
//= hardsigmoid_eight_each: lifted
//= log_softmax_tree: lifted
//= softmax_thread_per_row: 'begin' is used before it has a value that the source shows
//= softmax_warp_per_row: lifted
//= online_softmax.256: an expression of a kind that is not known here
//= log_softmax_channels: lifted
//= batchnorm_inference: lifted
//= batchnorm_stats: lifted
//= instance_norm: lifted
//= group_norm_cub: lifted
//= rms_norm_channels: lifted
//= rms_norm_bf16: lifted
//= frobenius_sumsq: lifted
//= frobenius_divide: lifted
//= l1_norm: lifted
//= l2_normalize_tiles: lifted
//= layer_norm_staged: a pointer is computed in a way that hides which buffer it points to
//= layer_norm_welford: what 'push' does is not known here
//= mse_atomic.__half.256: lifted
//= cross_entropy_naive: lifted
//= cross_entropy_vocab: what threads have of 's' is another thing in each round
//= smooth_l1_partials: which iterations of this loop are a thread's is not known
//= cosine_similarity_warp: lifted
//= kl_div_rows: lifted
//= hinge_loss: what is written here is no sum or maximum over the block
//= triplet_margin: lifted
