// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts.
// simulation: n-body, finance, random numbers, fractals, particles
#include <cuda_runtime.h>
#include <math.h>

#define SOFTENING2 1e-3f
#define NB 128

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING2;
    float inv = rsqrtf(distSqr);
    float s = bj.w * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

#pragma cupilot optimize
#pragma cupilot workload(galaxy) set(n = 32768) in(pos[n]) out(acc[n]) launch((n + 127) / 128, 128)
#pragma cupilot workload(cluster) set(n = 1000) in(pos[n]) out(acc[n]) launch((n + 127) / 128, 128) check
__global__ void nbody_accel(const float4 *pos, float4 *acc, int n)
{
    __shared__ float4 shPos[NB];

    int i = blockIdx.x * NB + threadIdx.x;
    float4 me = (i < n) ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float3 a = make_float3(0.f, 0.f, 0.f);

    for (int base = 0; base < n; base += NB) {
        int j = base + threadIdx.x;
        // bodies past the end have no mass, so they exert no force
        shPos[threadIdx.x] = (j < n) ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < NB; k++)
            a = bodyBodyInteraction(a, me, shPos[k]);
        __syncthreads();
    }

    if (i < n)
        acc[i] = make_float4(a.x, a.y, a.z, 0.f);
}

// Abramowitz & Stegun 26.2.17
__device__ inline float cnd(float d)
{
    const float A[5] = { 0.31938153f, -0.356563782f, 1.781477937f,
                         -1.821255978f, 1.330274429f };
    const float RSQRT2PI = 0.39894228040143267794f;

    float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float poly = 0.0f;
    for (int m = 4; m >= 0; m--)
        poly = (poly + A[m]) * K;
    float c = RSQRT2PI * expf(-0.5f * d * d) * poly;
    return d > 0 ? 1.0f - c : c;
}

__device__ void priceEuropean(float S, float X, float T, float R, float V,
                              float &call, float &put)
{
    float sqrtT = sqrtf(T);
    float d1 = (logf(S / X) + (R + 0.5f * V * V) * T) / (V * sqrtT);
    float d2 = d1 - V * sqrtT;
    float cnd1 = cnd(d1);
    float cnd2 = cnd(d2);
    float expRT = expf(-R * T);
    call = S * cnd1 - X * expRT * cnd2;
    put  = X * expRT * (1.0f - cnd2) - S * (1.0f - cnd1);
}

#pragma cupilot optimize
#pragma cupilot workload(book) set(optN = 4000000, riskfree = 0.02, volatility = 0.30) in(stock[optN], strike[optN], years[optN]) out(callRes[optN], putRes[optN]) launch(480, 128)
#pragma cupilot workload(desk) set(optN = 4099, riskfree = 0.02, volatility = 0.30) in(stock[optN], strike[optN], years[optN]) out(callRes[optN], putRes[optN]) launch(8, 128) check
__global__ void black_scholes(float *callRes, float *putRes,
                              const float *stock, const float *strike, const float *years,
                              float riskfree, float volatility, int optN)
{
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    const int THREAD_N = blockDim.x * gridDim.x;

    for (int opt = tid; opt < optN; opt += THREAD_N) {
        // market data feed sometimes has zero or stale negative entries
        float s = fmaxf(stock[opt], 0.05f);
        float x = fmaxf(strike[opt], 0.05f);
        float t = fmaxf(years[opt], 1.0f / 365.0f);
        priceEuropean(s, x, t, riskfree, volatility, callRes[opt], putRes[opt]);
    }
}

__device__ unsigned int wang_hash(unsigned int s)
{
    s = (s ^ 61u) ^ (s >> 16);
    s *= 9u;
    s = s ^ (s >> 4);
    s *= 0x27d4eb2du;
    s = s ^ (s >> 15);
    return s;
}

__device__ void xorshift(unsigned int *state)
{
    unsigned int x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
}

// count the darts inside the quarter circle
#pragma cupilot optimize
#pragma cupilot workload(long) set(darts = 4096, seed = 1234) inout(hits[1]) fill(hits = zeros) launch(1024, 256)
#pragma cupilot workload(short) set(darts = 100, seed = 42) inout(hits[1]) fill(hits = zeros) launch(3, 256) check
__global__ void mc_pi(unsigned long long *hits, int darts, unsigned int seed)
{
    unsigned int rng = wang_hash(seed + blockIdx.x * blockDim.x + threadIdx.x);
    if (rng == 0) rng = 0x9e3779b9u;

    int count = 0;
    for (int d = 0; d < darts; ++d) {
        xorshift(&rng);
        float x = (rng >> 8) * (1.0f / 16777216.0f);
        xorshift(&rng);
        float y = (rng >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f)
            count++;
    }

    for (int off = warpSize / 2; off > 0; off /= 2)
        count += __shfl_down_sync(0xffffffff, count, off);
    if (threadIdx.x % warpSize == 0)
        atomicAdd(hits, (unsigned long long)count);
}

#pragma cupilot optimize
#pragma cupilot workload(full) set(W = 1920, H = 1080, maxIter = 512, span = 3.0) out(iters[W * H]) launch(dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16))
#pragma cupilot workload(thumb) set(W = 100, H = 75, maxIter = 64, span = 3.0) out(iters[W * H]) launch(dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)) check
__global__ void mandelbrot(int *iters, int W, int H, int maxIter, double span)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= W || py >= H) return;

    const double cr = -0.75 + (px - 0.5 * W) * span / W;
    const double ci = (py - 0.5 * H) * span / W;

    double zr = 0, zi = 0, zr2 = 0, zi2 = 0;
    int it = 0;
    while (zr2 + zi2 <= 4.0) {
        if (++it > maxIter)
            break;
        zi = 2.0 * zr * zi + ci;
        zr = zr2 - zi2 + cr;
        zr2 = zr * zr;
        zi2 = zi * zi;
    }
    iters[py * W + px] = it > maxIter ? 0 : it;
}

__device__ void bounce(float *x, float *v, float limit, float damp)
{
    if (*x < -limit) {
        *x = -2.0f * limit - *x;
        *v = -*v * damp;
    } else if (*x > limit) {
        *x = 2.0f * limit - *x;
        *v = -*v * damp;
    }
}

// Integrate particles in a box under gravity. Dead ones (age 0) are skipped.
#pragma cupilot optimize
#pragma cupilot workload(fountain) set(count = 1 << 22, dt = 0.01, box = 1.0) inout(pos[count], vel[count], age[count]) fill(age = randint(0, 200)) launch(2048, 256)
#pragma cupilot workload(drip) set(count = 2500, dt = 0.01, box = 1.0) inout(pos[count], vel[count], age[count]) fill(age = randint(0, 3)) launch(4, 256) check
__global__ void particle_update(float3 *pos, float3 *vel, int *age, int count, float dt, float box)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        if (age[i] <= 0)
            continue;

        float3 p = pos[i];
        float3 v = vel[i];

        v.y -= 9.81f * dt;
        p.x += v.x * dt;
        p.y += v.y * dt;
        p.z += v.z * dt;

        bounce(&p.x, &v.x, box, 0.9f);
        bounce(&p.y, &v.y, box, 0.7f);
        bounce(&p.z, &v.z, box, 0.9f);

        pos[i] = p;
        vel[i] = v;
        age[i]--;
    }
}
//= nbody_accel: lifted
//= black_scholes: lifted
//= mc_pi: what is written here is no sum or maximum over the block
//= mandelbrot: a loop that does not count up to a bound
//= particle_update: lifted
