// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// integer work: scan, compaction, bits, graphs, automata
#include <cuda_runtime.h>

typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned long long u64;

// Work efficient exclusive scan (up-sweep / down-sweep), two elements per
// thread. The block totals go to `sums`, to be scanned by a second launch.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25) in(g_idata[n]) out(g_odata[n], sums[(n + 511) / 512]) fill(g_idata = randint(0, 9)) launch((n + 511) / 512, 256, 512 * 4)
#pragma cupilot workload(small) set(n = 5000) in(g_idata[n]) out(g_odata[n], sums[(n + 511) / 512]) fill(g_idata = randint(0, 9)) launch((n + 511) / 512, 256, 512 * 4) check
__global__ void scan_blelloch(int *g_odata, const int *g_idata, int *sums, int n)
{
    extern __shared__ int temp[];
    const int thid = threadIdx.x;
    const int m = 2 * blockDim.x;
    const int base = blockIdx.x * m;
    int offset = 1;

    temp[2 * thid]     = base + 2 * thid < n ? g_idata[base + 2 * thid] : 0;
    temp[2 * thid + 1] = base + 2 * thid + 1 < n ? g_idata[base + 2 * thid + 1] : 0;

    for (int d = m >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }

    if (thid == 0) {
        sums[blockIdx.x] = temp[m - 1];
        temp[m - 1] = 0;
    }

    for (int d = 1; d < m; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int ai = offset * (2 * thid + 1) - 1;
            int bi = offset * (2 * thid + 2) - 1;
            int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();

    if (base + 2 * thid < n)     g_odata[base + 2 * thid] = temp[2 * thid];
    if (base + 2 * thid + 1 < n) g_odata[base + 2 * thid + 1] = temp[2 * thid + 1];
}

// Compaction, first phase: a keep-mask word per warp, the rank of each kept
// element within its block, and the number kept per block.
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 24, threshold = 500) in(keys[n]) out(mask[(n + 31) / 32], rank[n], kept[(n + 255) / 256]) fill(keys = randint(0, 1000)) launch((n + 255) / 256, 256)
#pragma cupilot workload(small) set(n = 10007, threshold = 900) in(keys[n]) out(mask[(n + 31) / 32], rank[n], kept[(n + 255) / 256]) fill(keys = randint(0, 1000)) launch((n + 255) / 256, 256) check
__global__ void compact_flags(const uint *keys, uint *mask, short *rank, int *kept,
                              uint threshold, int n)
{
    __shared__ int warpCount[8];

    const int gid = blockIdx.x * 256 + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;

    bool keep = gid < n && keys[gid] >= threshold;
    uint votes = __ballot_sync(0xffffffff, keep);
    int before = __popc(votes & ((1u << lane) - 1));

    if (lane == 0) {
        warpCount[warp] = __popc(votes);
        if (gid < n)
            mask[gid >> 5] = votes;
    }
    __syncthreads();

    int total = 0, start = 0;
    for (int w = 0; w < 8; w++) {
        if (w == warp)
            start = total;
        total += warpCount[w];
    }

    if (gid < n)
        rank[gid] = keep ? (short)(start + before) : (short)-1;
    if (threadIdx.x == 0)
        kept[blockIdx.x] = total;
}

// All pairs of Hamming distances between two sets of binary codes.
#pragma cupilot optimize
#pragma cupilot workload(orb) set(na = 4096, nb = 8192, words = 4) in(a[na * words], b[nb * words]) out(dist[na * nb]) fill(a = randint(0, 1 << 30), b = randint(0, 1 << 30)) launch(dim3((nb + 31) / 32, (na + 7) / 8), dim3(32, 8))
#pragma cupilot workload(few) set(na = 45, nb = 70, words = 3) in(a[na * words], b[nb * words]) out(dist[na * nb]) fill(a = randint(0, 1 << 30), b = randint(0, 1 << 30)) launch(dim3((nb + 31) / 32, (na + 7) / 8), dim3(32, 8)) check
__global__ void hamming_pairs(const u64 *a, const u64 *b, unsigned short *dist,
                              int na, int nb, int words)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= na || col >= nb)
        return;

    const u64 *pa = &a[row * words];
    const u64 *pb = &b[col * words];
    int bits = 0, left = words;
    do {
        // the detectors write the codes in Gray code and in opposite bit order
        u64 va = *pa++;
        va ^= va >> 1;
        bits += __popcll(va ^ __brevll(*pb++));
    } while (--left > 0);

    dist[row * nb + col] = (unsigned short)bits;
}

// One k step of Floyd-Warshall on positive integer weights, with the
// predecessor matrix. Row k and column k do not change in step k.
#pragma cupilot optimize
#pragma cupilot workload(roads) set(n = 4096, k = 1000) inout(d[n * n], via[n * n]) fill(d = randint(1, 100000), via = zeros) launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8))
#pragma cupilot workload(small) set(n = 150, k = 149) inout(d[n * n], via[n * n]) fill(d = randint(1, 1000), via = zeros) launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8)) check
__global__ void floyd_warshall_step(int *d, int *via, int n, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        int through = d[i * n + k] + d[k * n + j];
        if (through < d[i * n + j]) {
            d[i * n + j] = through;
            via[i * n + j] = k;
        }
    }
}

#define ROWS_PER_THREAD 4
#define WRAP(v, m) (((v) + (m)) % (m))

// Conway's life on a torus. A thread updates four cells below each other and
// slides over the sums of three horizontal neighbours.
#pragma cupilot optimize
#pragma cupilot workload(large) set(W = 8192, H = 8192) in(cells[W * H]) out(next[W * H]) fill(cells = randint(0, 1)) launch(dim3((W + 127) / 128, (H + 3) / 4), 128)
#pragma cupilot workload(small) set(W = 131, H = 61) in(cells[W * H]) out(next[W * H]) fill(cells = randint(0, 1)) launch(dim3((W + 127) / 128, (H + 3) / 4), 128) check
__global__ void life_step(const uchar *cells, uchar *next, int W, int H)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y0 = blockIdx.y * ROWS_PER_THREAD;
    if (x >= W) return;

    const int xl = WRAP(x - 1, W);
    const int xr = WRAP(x + 1, W);

    int sum[ROWS_PER_THREAD + 2];
    uchar mid[ROWS_PER_THREAD + 2];
#pragma unroll
    for (int r = 0; r < ROWS_PER_THREAD + 2; r++) {
        const uchar *line = cells + WRAP(y0 + r - 1, H) * W;
        mid[r] = line[x];
        sum[r] = line[xl] + mid[r] + line[xr];
    }

#pragma unroll
    for (int r = 1; r <= ROWS_PER_THREAD; r++) {
        int y = y0 + r - 1;
        if (y >= H) break;
        int around = sum[r - 1] + sum[r] + sum[r + 1] - mid[r];
        next[y * W + x] = (around == 3 || (around == 2 && mid[r])) ? 1 : 0;
    }
}
//= scan_blelloch: which element of shared memory a thread writes is not known
//= compact_flags: threads cooperate here (__ballot_sync)
//= hamming_pairs: a statement of a kind that is not known here
//= floyd_warshall_step: threads do not work apart from each other: iterations read elements of 'd' that others write
//= life_step: a loop is left early
