// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// scans
#include <cuda_runtime.h>

// Inclusive cumsum over rows. One block per row; Hillis-Steele on chunks of THREADS
// elements, the block carries the running total from chunk to chunk.
#pragma cupilot optimize
#pragma cupilot workload(long_rows) set(rows = 2048, cols = 8192) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256)
#pragma cupilot workload(check1) set(rows = 5, cols = 601) in(x[rows * cols]) out(y[rows * cols]) launch(rows, 256) check
template <int THREADS>
__global__ void cumsum_rows(const float* x, float* y, int rows, int cols)
{
    __shared__ float buf[2][THREADS];
    int tid = threadIdx.x;
    int row = blockIdx.x;
    if (row >= rows) return;

    x += (size_t)row * cols;
    y += (size_t)row * cols;

    float running = 0.0f;
    for (int base = 0; base < cols; base += THREADS) {
        int i = base + tid;
        int cur = 0;
        buf[0][tid] = (i < cols) ? x[i] : 0.0f;
        __syncthreads();
        for (int off = 1; off < THREADS; off <<= 1) {
            int nxt = 1 - cur;
            if (tid >= off)
                buf[nxt][tid] = buf[cur][tid] + buf[cur][tid - off];
            else
                buf[nxt][tid] = buf[cur][tid];
            cur = nxt;
            __syncthreads();
        }
        if (i < cols) y[i] = running + buf[cur][tid];
        running += buf[cur][THREADS - 1];
        __syncthreads();
    }
}
template __global__ void cumsum_rows<256>(const float*, float*, int, int);

// cumprod along dim=1, dumb version: a thread owns a row.
#pragma cupilot optimize
#pragma cupilot workload(r32k) set(n_rows = 32768, n_cols = 1024) in(a[n_rows * n_cols]) out(b[n_rows * n_cols]) launch((n_rows + 63) / 64, 64)
#pragma cupilot workload(r_odd) set(n_rows = 67, n_cols = 31) in(a[n_rows * n_cols]) out(b[n_rows * n_cols]) launch((n_rows + 63) / 64, 64) check
__global__ void cumprod_thread_per_row(const float *a, float *b, const int n_rows, const int n_cols)
{
    const int r = blockDim.x * blockIdx.x + threadIdx.x;
    if (r < n_rows)
    {
        const float *src = a + (long long)r * n_cols;
        float *dst = b + (long long)r * n_cols;
        const float *end = src + n_cols;
        float prod = 1.f;
        while (src != end)
        {
            prod *= *src++;
            *dst++ = prod;
        }
    }
}

// y[i] = x[i] + x[i+1] + ... + x[n-1]; a warp per row walks the row backwards.
__device__ __forceinline__ float warp_inclusive_scan(float v, int lane)
{
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        float u = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += u;
    }
    return v;
}

#pragma cupilot optimize
#pragma cupilot workload(rev) set(m = 32768, n = 2000) in(x[m * n]) out(y[m * n]) launch((m + 7) / 8, dim3(32, 8))
#pragma cupilot workload(rev_small) set(m = 11, n = 75) in(x[m * n]) out(y[m * n]) launch((m + 7) / 8, dim3(32, 8)) check
__global__ void reverse_cumsum_warp(const float *__restrict__ x, float *__restrict__ y, int m, int n)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= m) return;
    const float *xr = x + (size_t)row * n;
    float *yr = y + (size_t)row * n;

    float carry = 0.f;
    for (int done = 0; done < n; done += 32) {
        const int i = n - 1 - done - lane;
        float v = i >= 0 ? xr[i] : 0.f;
        v = warp_inclusive_scan(v, lane) + carry;
        if (i >= 0) yr[i] = v;
        carry = __shfl_sync(0xffffffffu, v, 31);
    }
}

// Exclusive prefix sum of every row, work-efficient (Blelloch). `width` is the
// power of two >= len, two elements per thread, width == 2 * blockDim.x.
#pragma cupilot optimize
#pragma cupilot workload(ex2048) set(rows = 16384, len = 2000, width = 2048) in(in[rows * len]) out(out[rows * len]) launch(rows, width / 2, width * 4)
#pragma cupilot workload(ex_small) set(rows = 4, len = 100, width = 128) in(in[rows * len]) out(out[rows * len]) launch(rows, width / 2, width * 4) check
__global__ void exclusive_cumsum_blelloch(const float *in, float *out, int rows, int len, int width)
{
    extern __shared__ float temp[];
    const int t = threadIdx.x;
    const size_t base = (size_t)blockIdx.x * len;

    temp[2 * t]     = 2 * t     < len ? in[base + 2 * t]     : 0.0f;
    temp[2 * t + 1] = 2 * t + 1 < len ? in[base + 2 * t + 1] : 0.0f;

    // up-sweep
    int offset = 1;
    for (int d = width >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (t == 0) temp[width - 1] = 0.0f;

    // down-sweep
    for (int d = 1; d < width; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1;
            int bi = offset * (2 * t + 2) - 1;
            float tmp = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += tmp;
        }
    }
    __syncthreads();

    if (2 * t < len)     out[base + 2 * t]     = temp[2 * t];
    if (2 * t + 1 < len) out[base + 2 * t + 1] = temp[2 * t + 1];
}

// masked_cumsum: y = cumsum(x * mask, dim=-1). Warp scans combined through shared memory,
// total carried over the chunks of the row.
#pragma cupilot optimize
#pragma cupilot workload(mk) set(rows = 8192, n = 4000) in(x[rows * n], mask[rows * n]) out(y[rows * n]) launch(rows, 512) fill(mask = randint(0, 1))
#pragma cupilot workload(mk_small) set(rows = 3, n = 1111) in(x[rows * n], mask[rows * n]) out(y[rows * n]) launch(rows, 512) fill(mask = randint(0, 1)) check
__global__ void masked_cumsum_block(const float *x, const bool *mask, float *y, int rows, int n)
{
    __shared__ float warp_sums[32];
    __shared__ float total;

    const int lane = threadIdx.x % warpSize;
    const int wid  = threadIdx.x / warpSize;
    const int nwarps = blockDim.x / warpSize;
    const long long start = (long long)blockIdx.x * n;

    if (threadIdx.x == 0) total = 0.0f;

    for (int c = 0; c < n; c += blockDim.x) {
        const int i = c + threadIdx.x;
        float v = 0.0f;
        if (i < n && mask[start + i]) v = x[start + i];

        v = warp_inclusive_scan(v, lane);
        if (lane == 31) warp_sums[wid] = v;
        __syncthreads();

        if (wid == 0) {
            float s = lane < nwarps ? warp_sums[lane] : 0.0f;
            s = warp_inclusive_scan(s, lane);
            if (lane < nwarps) warp_sums[lane] = s;
        }
        __syncthreads();

        float prefix = total + (wid > 0 ? warp_sums[wid - 1] : 0.0f);
        if (i < n) y[start + i] = v + prefix;
        __syncthreads();

        if (threadIdx.x == 0) total += warp_sums[nwarps - 1];
        __syncthreads();
    }
}
//= cumsum_rows.256: lifted
//= cumprod_thread_per_row: a loop that does not count up to a bound
//= reverse_cumsum_warp: lifted
//= exclusive_cumsum_blelloch: how often threads exchange values is not known
//= masked_cumsum_block: lifted
