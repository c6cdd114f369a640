// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <cuda_runtime.h>
#include <math_constants.h>

// y[i] = sum_k h[k] x[i-k], samples before the start are zero.
// shared: ntaps coefficients followed by blockDim.x + ntaps - 1 samples
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 33554432, ntaps = 63) in(x[1 << 26]) in(h[1 << 26]) inout(y[1 << 26]) \
    launch((n + 255) / 256, 256, (ntaps + 256 + ntaps - 1) * 4)
__global__ void fir_filter(const float *x, const float *h, float *y, int n, int ntaps)
{
    extern __shared__ float smem[];
    float *sh = smem;
    float *sx = smem + ntaps;

    const int first = blockIdx.x * blockDim.x - (ntaps - 1);

    for (int k = threadIdx.x; k < ntaps; k += blockDim.x)
        sh[k] = h[k];
    for (int k = threadIdx.x; k < blockDim.x + ntaps - 1; k += blockDim.x) {
        int g = first + k;
        sx[k] = (g >= 0 && g < n) ? x[g] : 0.0f;
    }
    __syncthreads();

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float acc = 0.0f;
        for (int k = 0; k < ntaps; k++)
            acc += sh[k] * sx[threadIdx.x + ntaps - 1 - k];
        y[i] = acc;
    }
}

// Naive DFT of a batch of real signals. Thread = one frequency of one signal.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(N = 512, batch = 32768) inout(real_out[1 << 26]) inout(imag_out[1 << 26]) \
    in(in[1 << 26]) launch(dim3((N + 127) / 128, batch), 128)
__global__ void dft_naive(float* real_out, float* imag_out, const float* in, int N, int batch)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.y;

    if (k < N && b < batch) {
        const float* signal = in + (size_t)b * N;
        float sumReal = 0.0f;
        float sumImag = 0.0f;

        for (int n = 0; n < N; n++) {
            float angle = -2.0f * CUDART_PI_F * ((k * n) % N) / N;
            float s, c;
            sincosf(angle, &s, &c);
            sumReal += signal[n] * c;
            sumImag += signal[n] * s;
        }

        real_out[(size_t)b * N + k] = sumReal;
        imag_out[(size_t)b * N + k] = sumImag;
    }
}

// Cut the signal in overlapping frames and apply the window, for the STFT.
// Reflection at the right end is not done: missing samples are zero.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n_samples = 8388608, frame_len = 1024, hop = 256, n_frames = 32765) in(signal[1 \
    << 26]) in(window[1 << 26]) inout(frames[1 << 26]) launch((n_frames * frame_len + 255) / 256, 256)
__global__ void frame_and_window(const float* __restrict__ signal, const float* __restrict__ window,
                                 float* __restrict__ frames,
                                 int n_samples, int frame_len, int hop, int n_frames)
{
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid >= n_frames * frame_len) return;

    const int frame = tid / frame_len;
    const int j     = tid % frame_len;
    const int src   = frame * hop + j;

    frames[tid] = src < n_samples ? signal[src] * window[j] : 0.0f;
}

typedef float2 Complex;

static __device__ __host__ inline Complex ComplexScale(Complex a, float s) {
  Complex c;
  c.x = s * a.x;
  c.y = s * a.y;
  return c;
}

static __device__ __host__ inline Complex ComplexMul(Complex a, Complex b) {
  Complex c;
  c.x = a.x * b.x - a.y * b.y;
  c.y = a.x * b.y + a.y * b.x;
  return c;
}

// Complex pointwise multiplication, result goes back to a
#pragma cupilot optimize
#pragma cupilot workload(timed) set(size = 16777216, scale = 1) inout(a[1 << 26]) in(b[1 << 26]) launch(32, 256)
static __global__ void ComplexPointwiseMulAndScale(Complex *a, const Complex *b,
                                                   int size, float scale) {
  const int numThreads = blockDim.x * gridDim.x;
  const int threadID = blockIdx.x * blockDim.x + threadIdx.x;

  for (int i = threadID; i < size; i += numThreads) {
    a[i] = ComplexScale(ComplexMul(a[i], b[i]), scale);
  }
}

// Inclusive prefix sum along each row. One block walks along one row in chunks
// of blockDim.x and carries the running total.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(rows = 8192, cols = 4096) in(in[1 << 26]) inout(out[1 << 26]) launch(rows, 256)
__global__ void row_cumsum(const float* __restrict__ in, float* __restrict__ out, int rows, int cols)
{
    __shared__ float warp_tot[8];
    __shared__ float carry;

    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const float* src = in  + (size_t)blockIdx.x * cols;
    float*       dst = out + (size_t)blockIdx.x * cols;

    if (threadIdx.x == 0) carry = 0.0f;
    __syncthreads();

    for (int c0 = 0; c0 < cols; c0 += 256) {
        const int c = c0 + threadIdx.x;
        float v = c < cols ? src[c] : 0.0f;

        #pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            float t = __shfl_up_sync(0xffffffff, v, d);
            if (lane >= d) v += t;
        }
        if (lane == 31) warp_tot[warp] = v;
        __syncthreads();

        float offset = carry;
        for (int w = 0; w < warp; w++)
            offset += warp_tot[w];
        v += offset;

        if (c < cols) dst[c] = v;
        __syncthreads();
        if (threadIdx.x == 255) carry = v;
        __syncthreads();
    }
}
//= fir_filter: lifted
//= dft_naive: lifted
//= frame_and_window: lifted
//= ComplexPointwiseMulAndScale: 'c' is used before it has a value that the source shows
//= row_cumsum: lifted
