// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// explicit time stepping on regular grids, plus the STREAM triad
#include <cuda_runtime.h>
#include <stddef.h>

#define IDX(i, j) ((j) * nx + (i))

/* One explicit Euler step of the 2D heat equation, border cells are kept. */
#pragma cupilot optimize
#pragma cupilot workload(large) set(nx = 4096, ny = 4096, alpha = 0.1) in(u[nx * ny]) out(unew[nx * ny]) launch(dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8))
#pragma cupilot workload(small) set(nx = 517, ny = 301, alpha = 0.1) in(u[nx * ny]) out(unew[nx * ny]) launch(dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)) check
__global__ void heat2d_step(const double *__restrict__ u, double *__restrict__ unew,
                            int nx, int ny, double alpha)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;

    if (i >= nx || j >= ny)
        return;

    int c = IDX(i, j);
    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1) {
        unew[c] = u[c];
        return;
    }

    double lap = u[IDX(i - 1, j)] + u[IDX(i + 1, j)]
               + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 4.0 * u[c];
    unew[c] = u[c] + alpha * lap;
}

// centre, x-neighbours, y-neighbours, z-neighbours
__constant__ float c_heat[4] = { 0.4f, 0.12f, 0.1f, 0.08f };

// 7 point stencil, each thread owns an (x,y) column and walks up in z,
// keeping three planes in registers. Only interior points are touched.
#pragma cupilot optimize
#pragma cupilot workload(large) set(nx = 384, ny = 384, nz = 256) in(in[nx * ny * nz]) inout(out[nx * ny * nz]) launch(dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4, 1))
#pragma cupilot workload(small) set(nx = 67, ny = 45, nz = 19) in(in[nx * ny * nz]) inout(out[nx * ny * nz]) launch(dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4, 1)) check
__global__ void heat3d_march(const float *in, float *out, int nx, int ny, int nz)
{
    const int x = threadIdx.x + blockIdx.x * blockDim.x;
    const int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < 1 || y < 1 || x > nx - 2 || y > ny - 2) return;

    const int plane = nx * ny;
    int pos = y * nx + x;

    float below = in[pos];
    float here  = in[pos + plane];
    pos += plane;

    for (int z = 1; z < nz - 1; ++z) {
        float above = in[pos + plane];
        out[pos] = c_heat[0] * here
                 + c_heat[1] * (in[pos - 1] + in[pos + 1])
                 + c_heat[2] * (in[pos - nx] + in[pos + nx])
                 + c_heat[3] * (below + above);
        below = here;
        here = above;
        pos += plane;
    }
}

// Jacobi sweep for  -laplace(u) = f  with a shared memory tile including halo
#pragma cupilot optimize
#pragma cupilot workload(large) set(w = 4096, h = 4096, h2 = 0.0001) in(src[w * h], rhs[w * h]) out(dst[w * h]) launch(dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16))
#pragma cupilot workload(small) set(w = 259, h = 130, h2 = 0.01) in(src[w * h], rhs[w * h]) out(dst[w * h]) launch(dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)) check
template <int TX, int TY>
__global__ void jacobi_tile(const float *src, const float *rhs, float *dst,
                            int w, int h, float h2)
{
    __shared__ float tile[TY + 2][TX + 2];

    const int x0 = blockIdx.x * TX - 1;     // global coordinates of tile[0][0]
    const int y0 = blockIdx.y * TY - 1;

    // cooperative fill, the tile is larger than the block
    for (int t = threadIdx.y * TX + threadIdx.x; t < (TX + 2) * (TY + 2); t += TX * TY) {
        int ly = t / (TX + 2);
        int lx = t % (TX + 2);
        int gx = x0 + lx;
        int gy = y0 + ly;
        tile[ly][lx] = (gx >= 0 && gx < w && gy >= 0 && gy < h) ? src[gy * w + gx] : 0.0f;
    }
    __syncthreads();

    int gx = blockIdx.x * TX + threadIdx.x;
    int gy = blockIdx.y * TY + threadIdx.y;
    if (gx < w && gy < h) {
        int lx = threadIdx.x + 1;
        int ly = threadIdx.y + 1;
        dst[gy * w + gx] = 0.25f * (tile[ly][lx - 1] + tile[ly][lx + 1] +
                                    tile[ly - 1][lx] + tile[ly + 1][lx] +
                                    h2 * rhs[gy * w + gx]);
    }
}
template __global__ void jacobi_tile<16, 16>(const float *, const float *, float *, int, int, float);

// Acoustic wave, 2nd order in time, 4th order in space. The old field is
// overwritten by the new one (leap frog), velocity varies per cell.
#pragma cupilot optimize
#pragma cupilot workload(shot) set(cols = 3000, rows = 2500, dtdx2 = 0.16) in(now[rows * cols], vel[rows * cols]) inout(prev[rows * cols]) launch(dim3((cols + 63) / 64, (rows + 3) / 4), dim3(64, 4))
__global__ void wave2d_leapfrog(float *prev, const float *now, const float *vel,
                                size_t rows, size_t cols, float dtdx2)
{
    size_t c = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    size_t r = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
    const float coef[3] = { -2.5f, 4.0f / 3.0f, -1.0f / 12.0f };

    if (c < 2 || r < 2 || c + 2 >= cols || r + 2 >= rows)
        return;

    prev += r * cols + c;
    now  += r * cols + c;
    vel  += r * cols + c;

    float lap = 2.0f * coef[0] * now[0];
#pragma unroll
    for (int k = 1; k <= 2; k++) {
        lap += coef[k] * (now[k] + *(now - k));
        lap += coef[k] * (now[k * cols] + *(now - k * cols));
    }

    float v = *vel;
    *prev = 2.0f * now[0] - *prev + v * v * dtdx2 * lap;
}

// STREAM triad, four elements per loop iteration, stride = whole grid
#pragma cupilot optimize
#pragma cupilot workload(large) set(n = 1 << 25, scalar = 3.0) in(b[n], c[n]) out(a[n]) launch(1056, 256)
#pragma cupilot workload(small) set(n = 1000003, scalar = 3.0) in(b[n], c[n]) out(a[n]) launch(64, 256) check
__global__ void stream_triad(double *__restrict__ a, const double *__restrict__ b,
                             const double *__restrict__ c, double scalar, long n)
{
    const long stride = (long)gridDim.x * blockDim.x;
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;

    for (; i + 3 * stride < n; i += 4 * stride) {
        double t0 = b[i]              + scalar * c[i];
        double t1 = b[i + stride]     + scalar * c[i + stride];
        double t2 = b[i + 2 * stride] + scalar * c[i + 2 * stride];
        double t3 = b[i + 3 * stride] + scalar * c[i + 3 * stride];
        a[i] = t0;
        a[i + stride] = t1;
        a[i + 2 * stride] = t2;
        a[i + 3 * stride] = t3;
    }
    // remainder
    for (; i < n; i += stride)
        a[i] = b[i] + scalar * c[i];
}
//= heat2d_step: lifted
//= heat3d_march: lifted
//= jacobi_tile.16.16: lifted
//= wave2d_leapfrog: lifted
//= stream_triad: a loop that does not count up to a bound
