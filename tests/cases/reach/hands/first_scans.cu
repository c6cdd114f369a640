// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
// Cumulative sums and products.
#include <cuda_runtime.h>
#include <cub/cub.cuh>

// ---------------------------------------------------------------------------
// Inclusive cumsum of each row: a block walks over its row 256 values at a time.
// ---------------------------------------------------------------------------
__device__ __forceinline__ float warp_inclusive_scan(float v, int lane)
{
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        float t = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += t;
    }
    return v;
}

#pragma cupilot optimize
#pragma cupilot workload(timed) set(rows = 8192, cols = 4096) in(x[1 << 26]) inout(y[1 << 26]) launch(rows, 256)
__global__ void cumsum_rows(const float* __restrict__ x, float* __restrict__ y, int rows, int cols)
{
    __shared__ float warp_sums[8];

    const int lane = threadIdx.x & 31;
    const int wid  = threadIdx.x >> 5;
    const float* xr = x + (size_t)blockIdx.x * cols;
    float* yr       = y + (size_t)blockIdx.x * cols;

    float carry = 0.0f;
    for (int base = 0; base < cols; base += 256) {
        const int i = base + threadIdx.x;
        float v = (i < cols) ? xr[i] : 0.0f;
        v = warp_inclusive_scan(v, lane);
        if (lane == 31) warp_sums[wid] = v;
        __syncthreads();

        float before = 0.0f, total = 0.0f;
        for (int w = 0; w < 8; ++w) {
            if (w < wid) before += warp_sums[w];
            total += warp_sums[w];
        }
        if (i < cols) yr[i] = carry + before + v;
        carry += total;
        __syncthreads();
    }
}

// ---------------------------------------------------------------------------
// Exclusive cumsum with CUB block primitives
// ---------------------------------------------------------------------------
struct RunningPrefix {
    float total;
    __device__ RunningPrefix(float t) : total(t) {}
    __device__ float operator()(float block_aggregate) {
        float old = total;
        total += block_aggregate;
        return old;
    }
};

#pragma cupilot optimize
#pragma cupilot workload(timed) set(num_rows = 4096, row_len = 8192) in(d_in[1 << 26]) inout(d_out[1 << 26]) \
    launch(num_rows, 128)
template <int THREADS, int ITEMS>
__global__ void exclusive_cumsum_cub(const float* d_in, float* d_out, int num_rows, int row_len)
{
    typedef cub::BlockLoad<float, THREADS, ITEMS, cub::BLOCK_LOAD_TRANSPOSE>   BlockLoad;
    typedef cub::BlockStore<float, THREADS, ITEMS, cub::BLOCK_STORE_TRANSPOSE> BlockStore;
    typedef cub::BlockScan<float, THREADS>                                     BlockScan;

    __shared__ union {
        typename BlockLoad::TempStorage  load;
        typename BlockScan::TempStorage  scan;
        typename BlockStore::TempStorage store;
    } temp_storage;

    d_in  += (size_t)blockIdx.x * row_len;
    d_out += (size_t)blockIdx.x * row_len;

    RunningPrefix prefix_op(0.0f);
    for (int offset = 0; offset < row_len; offset += THREADS * ITEMS) {
        const int valid = min(row_len - offset, THREADS * ITEMS);
        float data[ITEMS];

        BlockLoad(temp_storage.load).Load(d_in + offset, data, valid, 0.0f);
        __syncthreads();
        BlockScan(temp_storage.scan).ExclusiveSum(data, data, prefix_op);
        __syncthreads();
        BlockStore(temp_storage.store).Store(d_out + offset, data, valid);
        __syncthreads();
    }
}

// ---------------------------------------------------------------------------
// Reverse cumsum over the middle dimension of [B, T, D] (discounted = no).
// One thread per (b, d) column, walks from the last time step to the first.
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(B = 64, T = 512, D = 1024) in(in[1 << 26]) inout(out[1 << 26]) launch(dim3((D + \
    127) / 128, B), 128)
__global__ void reverse_cumsum_time(const float* in, float* out, int B, int T, int D)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    int b = blockIdx.y;
    if (d >= D) return;

    float running = 0.0f;
    for (int t = T - 1; t >= 0; t--) {
        size_t pos = ((size_t)b * T + t) * D + d;
        running += in[pos];
        out[pos] = running;
    }
}

// ---------------------------------------------------------------------------
// cumprod along the rows, Hillis-Steele with two shared buffers
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(nrows = 4096, ncols = 4096) inout(out[1 << 26]) in(in[1 << 26]) launch(nrows, 512)
template <typename T, int BLOCK>
__global__ void cumprod_kernel(T* out, const T* in, const int nrows, const int ncols)
{
    __shared__ T buf[2][BLOCK];
    __shared__ T running;

    const int tid = threadIdx.x;
    const size_t row_off = (size_t)blockIdx.x * ncols;

    if (tid == 0) running = T(1);

    for (int start = 0; start < ncols; start += BLOCK) {
        const int col = start + tid;
        int pin = 0;
        buf[pin][tid] = col < ncols ? in[row_off + col] : T(1);
        __syncthreads();

        for (int off = 1; off < BLOCK; off *= 2) {
            const int pout = 1 - pin;
            if (tid >= off)
                buf[pout][tid] = buf[pin][tid] * buf[pin][tid - off];
            else
                buf[pout][tid] = buf[pin][tid];
            pin = pout;
            __syncthreads();
        }

        const T scale = running;
        if (col < ncols)
            out[row_off + col] = scale * buf[pin][tid];
        __syncthreads();

        if (tid == BLOCK - 1)
            running = scale * buf[pin][tid];
        __syncthreads();
    }
}

// ---------------------------------------------------------------------------
// masked cumsum: masked-out entries count as 0. One warp per row, 4 rows a block.
// ---------------------------------------------------------------------------
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n_rows = 32768, n_cols = 1024) in(x[1 << 26]) in(mask[1 << 26]) inout(out[1 << \
    26]) launch((n_rows + 3) / 4, dim3(32, 4))
__global__ void masked_cumsum(const float* __restrict__ x, const bool* __restrict__ mask,
                              float* __restrict__ out, int n_rows, int n_cols)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= n_rows) return;

    const int lane = threadIdx.x;
    const long long base = (long long)row * n_cols;

    float offset = 0.f;
    for (int c0 = 0; c0 < n_cols; c0 += 32) {
        const int c = c0 + lane;
        float v = 0.f;
        if (c < n_cols && mask[base + c])
            v = x[base + c];

        v = warp_inclusive_scan(v, lane) + offset;
        if (c < n_cols)
            out[base + c] = v;
        offset = __shfl_sync(0xffffffffu, v, 31);
    }
}

template __global__ void exclusive_cumsum_cub<128, 4>(const float* d_in, float* d_out, int num_rows, int row_len);
template __global__ void cumprod_kernel<double, 512>(double* out, const double* in, const int nrows, const int ncols);
//= cumsum_rows: lifted
//= exclusive_cumsum_cub.128.4: a declaration of a kind that is not known here
//= reverse_cumsum_time: lifted
//= cumprod_kernel.double.512: lifted
//= masked_cumsum: lifted
