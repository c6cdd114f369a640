// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
// Time stepping kernels used by the mini-apps: heat, wave, Poisson, LBM.
#include <cuda_runtime.h>

#define IDX3(i, j, k) ((size_t)(k) * ny * nx + (size_t)(j) * nx + (i))

// 7-point explicit Euler step. Faces keep their value (Dirichlet).
#pragma cupilot optimize
#pragma cupilot workload(timed) set(nx = 320, ny = 320, nz = 320, rx = 1, ry = 1, rz = 1) in(u[1 << 26]) inout(un[1 \
    << 26]) launch(dim3((nx + 31) / 32, (ny + 7) / 8, nz), dim3(32, 8))
__global__ void heat3d_step(const double *__restrict__ u, double *__restrict__ un,
                            int nx, int ny, int nz,
                            double rx, double ry, double rz)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z;

    if (i >= nx || j >= ny || k >= nz) return;

    const double c = u[IDX3(i, j, k)];

    if (i == 0 || i == nx - 1 || j == 0 || j == ny - 1 || k == 0 || k == nz - 1) {
        un[IDX3(i, j, k)] = c;
        return;
    }

    un[IDX3(i, j, k)] = c
        + rx * (u[IDX3(i - 1, j, k)] - 2.0 * c + u[IDX3(i + 1, j, k)])
        + ry * (u[IDX3(i, j - 1, k)] - 2.0 * c + u[IDX3(i, j + 1, k)])
        + rz * (u[IDX3(i, j, k - 1)] - 2.0 * c + u[IDX3(i, j, k + 1)]);
}

#define BLOCK_SIZE 16

// 2D heat, 5 points, tile with one cell of halo in shared memory.
// Insulated walls: the ghost value is the value of the border cell.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(width = 8192, height = 4096, dt_over_h2 = 1) inout(T_new[1 << 26]) in(T_old[1 \
    << 26]) in(conductivity[1 << 26]) launch(dim3((width + 16 - 1) / 16, (height + 16 - 1) / 16), dim3(16, 16))
__global__ void heat2d_shared(float* T_new, const float* T_old, const float* conductivity,
                              int width, int height, float dt_over_h2)
{
    __shared__ float tile[BLOCK_SIZE + 2][BLOCK_SIZE + 2];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * BLOCK_SIZE + tx;
    int row = blockIdx.y * BLOCK_SIZE + ty;

    // clamp so that threads outside of the plate still load something valid
    int c = min(col, width - 1);
    int r = min(row, height - 1);

    tile[ty + 1][tx + 1] = T_old[r * width + c];

    if (tx == 0)
        tile[ty + 1][0] = T_old[r * width + max(c - 1, 0)];
    if (tx == BLOCK_SIZE - 1)
        tile[ty + 1][BLOCK_SIZE + 1] = T_old[r * width + min(c + 1, width - 1)];
    if (ty == 0)
        tile[0][tx + 1] = T_old[max(r - 1, 0) * width + c];
    if (ty == BLOCK_SIZE - 1)
        tile[BLOCK_SIZE + 1][tx + 1] = T_old[min(r + 1, height - 1) * width + c];

    __syncthreads();

    if (col < width && row < height) {
        float center = tile[ty + 1][tx + 1];
        float lap = tile[ty][tx + 1] + tile[ty + 2][tx + 1]
                  + tile[ty + 1][tx] + tile[ty + 1][tx + 2]
                  - 4.0f * center;
        T_new[row * width + col] = center + dt_over_h2 * conductivity[row * width + col] * lap;
    }
}

constexpr int R  = 4;    // stencil radius, 8th order in space
constexpr int TX = 32;
constexpr int TY = 8;

__constant__ float c_coef[R + 1] = {
    -205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f, -1.0f / 560.0f };

// Acoustic wave, 2nd order in time. Each block takes an xy tile and marches in z
// with a register queue. pm holds p(t-1) on entry and p(t+1) on exit.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(nx = 328, ny = 328, nz = 328, inv_h2 = 1) in(p[1 << 26]) inout(pm[1 << 26]) \
    in(v2dt2[1 << 26]) launch(dim3((nx - 2 * 4 + 32 - 1) / 32, (ny - 2 * 4 + 8 - 1) / 8), dim3(32, 8))
__global__ void __launch_bounds__(TX * TY)
wave3d_fwd(const float* __restrict__ p, float* __restrict__ pm,
           const float* __restrict__ v2dt2, const int nx, const int ny, const int nz,
           const float inv_h2)
{
    __shared__ float s[TY + 2 * R][TX + 2 * R];

    const int gx = blockIdx.x * TX + threadIdx.x + R;
    const int gy = blockIdx.y * TY + threadIdx.y + R;
    const bool active = gx < nx - R && gy < ny - R;

    const int sx = threadIdx.x + R;
    const int sy = threadIdx.y + R;

    const int x  = min(gx, nx - 1);
    const int y  = min(gy, ny - 1);
    const int xr = min(gx + TX, nx - 1);
    const int yd = min(gy + TY, ny - 1);
    const size_t plane = (size_t)nx * ny;
    const size_t col   = (size_t)y * nx + x;

    // q[R] is the current plane
    float q[2 * R + 1];
#pragma unroll
    for (int k = 0; k < 2 * R; k++)
        q[k + 1] = p[k * plane + col];

    for (int z = R; z < nz - R; z++) {
#pragma unroll
        for (int k = 0; k < 2 * R; k++)
            q[k] = q[k + 1];
        q[2 * R] = p[(z + R) * plane + col];

        const float* pz = p + z * plane;

        __syncthreads();
        s[sy][sx] = q[R];
        if (threadIdx.x < R) {
            s[sy][threadIdx.x]  = pz[(size_t)y * nx + min(gx - R, nx - 1)];
            s[sy][sx + TX]      = pz[(size_t)y * nx + xr];
        }
        if (threadIdx.y < R) {
            s[threadIdx.y][sx]  = pz[(size_t)min(gy - R, ny - 1) * nx + x];
            s[sy + TY][sx]      = pz[(size_t)yd * nx + x];
        }
        __syncthreads();

        if (active) {
            float lap = 3.0f * c_coef[0] * q[R];
#pragma unroll
            for (int k = 1; k <= R; k++)
                lap += c_coef[k] * (q[R - k] + q[R + k]
                                  + s[sy][sx - k] + s[sy][sx + k]
                                  + s[sy - k][sx] + s[sy + k][sx]);
            const size_t o = z * plane + col;
            pm[o] = 2.0f * q[R] - pm[o] + v2dt2[o] * inv_h2 * lap;
        }
    }
}

// One Jacobi sweep for -lap(u) = f on an n x n grid (boundary included in n).
// *res2 must be zeroed before the launch, gets sum of squared updates.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 4096, h2 = 1) in(u[1 << 26]) in(f[1 << 26]) inout(u_new[1 << 26]) \
    inout(res2[1 << 26]) launch(dim3((n + 31) / 32, (n + 7) / 8), dim3(32, 8))
__global__ void jacobi_sweep(const float *u, const float *f, float *u_new, float *res2, int n, float h2)
{
    __shared__ float warp_sum[8];

    const int ix = blockIdx.x * 32 + threadIdx.x;
    const int iy = blockIdx.y * 8 + threadIdx.y;

    float d2 = 0.f;
    if (ix > 0 && iy > 0 && ix < n - 1 && iy < n - 1) {
        const int id = iy * n + ix;
        const float v = 0.25f * (u[id - 1] + u[id + 1] + u[id - n] + u[id + n] + h2 * f[id]);
        const float d = v - u[id];
        u_new[id] = v;
        d2 = d * d;
    }

    // one row of the block is one warp
    for (int off = 16; off > 0; off >>= 1)
        d2 += __shfl_down_sync(0xffffffff, d2, off);
    if (threadIdx.x == 0)
        warp_sum[threadIdx.y] = d2;
    __syncthreads();

    if (threadIdx.x == 0 && threadIdx.y == 0) {
        float sum = 0.f;
        for (int w = 0; w < 8; w++)
            sum += warp_sum[w];
        atomicAdd(res2, sum);
    }
}

// D2Q9 BGK, pull scheme, periodic in both directions.
// f[q][y][x], directions: 0 rest, 1 E, 2 N, 3 W, 4 S, 5 NE, 6 NW, 7 SW, 8 SE
#pragma cupilot optimize
#pragma cupilot workload(timed) set(NX = 2048, NY = 2048, omega = 1) in(fin[1 << 26]) inout(fout[1 << 26]) \
    launch(dim3((NX + 127) / 128, NY), 128)
__global__ void lbm_d2q9_stream_collide(const float* __restrict__ fin, float* __restrict__ fout,
                                        int NX, int NY, float omega)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = blockIdx.y;
    if (x >= NX) return;

    int xp = (x + 1) % NX;
    int xm = (x - 1 + NX) % NX;
    int yp = (y + 1) % NY;
    int ym = (y - 1 + NY) % NY;

    int N = NX * NY;

    float f0 = fin[         y  * NX + x ];
    float f1 = fin[    N +  y  * NX + xm];
    float f2 = fin[2 * N +  ym * NX + x ];
    float f3 = fin[3 * N +  y  * NX + xp];
    float f4 = fin[4 * N +  yp * NX + x ];
    float f5 = fin[5 * N +  ym * NX + xm];
    float f6 = fin[6 * N +  ym * NX + xp];
    float f7 = fin[7 * N +  yp * NX + xp];
    float f8 = fin[8 * N +  yp * NX + xm];

    float rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
    float inv = 1.0f / rho;
    float ux = (f1 + f5 + f8 - f3 - f6 - f7) * inv;
    float uy = (f2 + f5 + f6 - f4 - f7 - f8) * inv;

    float usq = 1.5f * (ux * ux + uy * uy);
    float w0 = omega * rho * (4.0f / 9.0f);
    float w1 = omega * rho * (1.0f / 9.0f);
    float w2 = omega * rho * (1.0f / 36.0f);
    float om1 = 1.0f - omega;
    float cu;
    int o = y * NX + x;

    fout[o] = om1 * f0 + w0 * (1.0f - usq);

    cu = 3.0f * ux;
    fout[    N + o] = om1 * f1 + w1 * (1.0f + cu + 0.5f * cu * cu - usq);
    fout[3 * N + o] = om1 * f3 + w1 * (1.0f - cu + 0.5f * cu * cu - usq);
    cu = 3.0f * uy;
    fout[2 * N + o] = om1 * f2 + w1 * (1.0f + cu + 0.5f * cu * cu - usq);
    fout[4 * N + o] = om1 * f4 + w1 * (1.0f - cu + 0.5f * cu * cu - usq);
    cu = 3.0f * (ux + uy);
    fout[5 * N + o] = om1 * f5 + w2 * (1.0f + cu + 0.5f * cu * cu - usq);
    fout[7 * N + o] = om1 * f7 + w2 * (1.0f - cu + 0.5f * cu * cu - usq);
    cu = 3.0f * (uy - ux);
    fout[6 * N + o] = om1 * f6 + w2 * (1.0f + cu + 0.5f * cu * cu - usq);
    fout[8 * N + o] = om1 * f8 + w2 * (1.0f - cu + 0.5f * cu * cu - usq);
}
//= heat3d_step: lifted
//= heat2d_shared: rows of threads in a block share an element of shared memory
//= wave3d_fwd: 'q' is an array of each thread
//= jacobi_sweep: what is written here is no sum or maximum over the block
//= lbm_d2q9_stream_collide: lifted
