// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// sparse matrices, clustering, look-up
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <float.h>

// One warp per row. Rows are given by their start and length (4-array CSR).
#pragma cupilot optimize
#pragma cupilot workload(large) set(rows = 200000, cols = 200000, nnz = 6400000) in(row_start[rows], row_len[rows], colidx[nnz], val[nnz], x[cols]) inout(y[rows]) fill(row_start = randint(0, nnz - 65), row_len = randint(0, 64), colidx = randint(0, cols - 1)) launch((rows + 7) / 8, 256)
#pragma cupilot workload(small) set(rows = 1003, cols = 900, nnz = 20000) in(row_start[rows], row_len[rows], colidx[nnz], val[nnz], x[cols]) inout(y[rows]) fill(row_start = randint(0, nnz - 101), row_len = randint(0, 100), colidx = randint(0, cols - 1)) launch((rows + 7) / 8, 256) check
__global__ void spmv_csr_vector(const int *row_start, const int *row_len, const int *colidx,
                                const float *val, const float *x, float *y, int rows,
                                int cols, int nnz)
{
    const int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    const int row = thread_id / 32;
    const int lane = thread_id & 31;

    if (row >= rows)
        return;                     // whole warp leaves together

    const int begin = row_start[row];
    const int end = begin + row_len[row];

    float sum = 0;
    for (int jj = begin + lane; jj < end; jj += 32)
        sum += val[jj] * x[colidx[jj]];

    sum += __shfl_xor_sync(0xffffffff, sum, 16);
    sum += __shfl_xor_sync(0xffffffff, sum, 8);
    sum += __shfl_xor_sync(0xffffffff, sum, 4);
    sum += __shfl_xor_sync(0xffffffff, sum, 2);
    sum += __shfl_xor_sync(0xffffffff, sum, 1);

    if (lane == 0)
        y[row] += sum;
}

// ELLPACK, column major; a column index >= N is padding and ends the row.
#pragma cupilot optimize
#pragma cupilot workload(w) set(N = 500000, K = 32) in(ell_col[N * K], ell_val[N * K], x[N]) out(y[N]) fill(ell_col = randint(0, N + N / 16)) launch((N + 255) / 256, 256)
#pragma cupilot workload(c) set(N = 777, K = 12) in(ell_col[N * K], ell_val[N * K], x[N]) out(y[N]) fill(ell_col = randint(0, N + N / 8)) launch((N + 255) / 256, 256) check
__global__ void spmv_ell(const unsigned *ell_col, const double *ell_val, const double *x,
                         double *y, unsigned N, unsigned K)
{
    unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < N) {
        double dot = 0.0;
        for (unsigned k = 0; k < K; k++) {
            unsigned c = ell_col[k * N + r];
            if (c >= N) break;
            dot += ell_val[k * N + r] * x[c];
        }
        y[r] = dot;
    }
}

// k-means, assignment step. Points are stored feature-major, the centroids
// are copied to shared memory. Counts how many points changed the cluster.
#pragma cupilot optimize
#pragma cupilot workload(big) set(npoints = 1000000, nfeat = 16, k = 32) in(feat[nfeat * npoints], centers[k * nfeat]) inout(member[npoints], changed[1]) fill(member = randint(0, k - 1), changed = zeros) launch((npoints + 255) / 256, 256, k * nfeat * 4)
#pragma cupilot workload(small) set(npoints = 3001, nfeat = 5, k = 7) in(feat[nfeat * npoints], centers[k * nfeat]) inout(member[npoints], changed[1]) fill(member = randint(0, k - 1), changed = zeros) launch((npoints + 255) / 256, 256, k * nfeat * 4) check
__global__ void kmeans_assign(const float *feat, const float *centers, int *member, int *changed,
                              int npoints, int nfeat, int k)
{
    extern __shared__ float s_centers[];
    for (int t = threadIdx.x; t < k * nfeat; t += blockDim.x)
        s_centers[t] = centers[t];
    __syncthreads();

    const int pid = blockIdx.x * blockDim.x + threadIdx.x;
    if (pid >= npoints)
        return;

    int best = -1;
    float best_dist = FLT_MAX;
    const float *c = s_centers;
    for (int i = 0; i < k; i++) {
        float dist = 0.0f;
        const float *f = feat + pid;
        for (int j = 0; j < nfeat; j++) {
            float diff = *f - *c++;
            dist += diff * diff;
            f += npoints;
        }
        if (dist < best_dist) {
            best_dist = dist;
            best = i;
        }
    }

    if (member[pid] != best) {
        atomicAdd(changed, 1);
        member[pid] = best;
    }
}

struct Cand { float d; int i; };

// One block per query point, linear search over all 3D reference points.
#pragma cupilot optimize
#pragma cupilot workload(icp) set(nq = 4096, nref = 50000) in(query[nq], ref[nref]) out(nn[nq], nnDist[nq]) launch(nq, 128)
#pragma cupilot workload(mini) set(nq = 33, nref = 1111) in(query[nq], ref[nref]) out(nn[nq], nnDist[nq]) launch(nq, 128) check
__global__ void nearest_neighbour(const float3 *__restrict__ query, const float3 *__restrict__ ref,
                                  int *nn, float *nnDist, int nq, int nref)
{
    __shared__ Cand cand[128];
    const int q = blockIdx.x;
    const int t = threadIdx.x;
    const float3 a = query[q];

    Cand best;
    best.d = 1e30f;
    best.i = nref;
    for (int r = t; r < nref; r += 128) {
        float3 b = ref[r];
        float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        float d = dx * dx + dy * dy + dz * dz;
        if (d < best.d) { best.d = d; best.i = r; }
    }
    cand[t] = best;
    __syncthreads();

    for (int s = 64; s > 0; s >>= 1) {
        if (t < s) {
            Cand o = cand[t + s];
            // lower index wins on a tie
            if (o.d < cand[t].d || (o.d == cand[t].d && o.i < cand[t].i))
                cand[t] = o;
        }
        __syncthreads();
    }

    if (t == 0) {
        nn[q] = cand[0].i;
        nnDist[q] = sqrtf(cand[0].d);
    }
}

// Gather rows of an int8 embedding table and expand them to half precision.
// blockIdx.x = token, the threads run over the row in groups of four values.
#pragma cupilot optimize
#pragma cupilot workload(prompt) set(ntok = 8192, vocab = 32000, dim4 = 1024) in(tokens[ntok], table[vocab * dim4], scale[vocab]) out(out[ntok * dim4 * 2]) fill(tokens = randint(0, vocab - 1)) launch(ntok, 256)
__global__ void embed_rows_q8(const int *tokens, const char4 *table, const float *scale,
                              __half2 *out, int ntok, int vocab, int dim4)
{
    const int tok = tokens[blockIdx.x];
    const float s = scale[tok];
    const char4 *src = table + (size_t)tok * dim4;
    __half2 *dst = out + (size_t)blockIdx.x * dim4 * 2;

    for (int i = threadIdx.x; i < dim4; i += blockDim.x) {
        char4 q = src[i];
        dst[2 * i]     = __floats2half2_rn(s * q.x, s * q.y);
        dst[2 * i + 1] = __floats2half2_rn(s * q.z, s * q.w);
    }
}
//= spmv_csr_vector: lifted
//= spmv_ell: a loop is left early
//= kmeans_assign: a pointer is computed in a way that hides which buffer it points to
//= nearest_neighbour: lifted
//= embed_rows_q8: lifted
