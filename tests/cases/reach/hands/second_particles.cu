// SPDX-License-Identifier: Apache-2.0
//
// By somebody who knew nothing of what lifts; annotated by a script for lifting alone (sizes of buffers are none).
#include <float.h>
#include <cuda_runtime.h>

#define NB_TILE 256

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai, float eps2)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;

    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;

    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

// all pairs gravity, GPU Gems 3 chapter 31; w is the mass
#pragma cupilot optimize
#pragma cupilot workload(timed) set(numBodies = 131072, eps2 = 1) in(pos[1 << 26]) inout(acc[1 << 26]) \
    launch((numBodies + 256 - 1) / 256, 256)
__global__ void nbody_forces(const float4 *pos, float4 *acc, int numBodies, float eps2)
{
    __shared__ float4 sharedPos[NB_TILE];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 myPos = make_float4(0.f, 0.f, 0.f, 0.f);
    if (i < numBodies) myPos = pos[i];

    float3 a = {0.0f, 0.0f, 0.0f};

    for (int tile = 0; tile * NB_TILE < numBodies; tile++) {
        int j = tile * NB_TILE + threadIdx.x;
        // padding bodies have no mass
        sharedPos[threadIdx.x] = j < numBodies ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();

#pragma unroll 32
        for (int k = 0; k < NB_TILE; k++)
            a = bodyBodyInteraction(myPos, sharedPos[k], a, eps2);
        __syncthreads();
    }

    if (i < numBodies)
        acc[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

// Lennard-Jones forces from a fixed size neighbour list, neighList[j * nAtom + i].
// Pairs that drifted out of the cutoff since the last rebuild are skipped.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(nAtom = 262144, neighCount = 128, cutsq = 1, lj1 = 1, lj2 = 1) inout(force[1 << \
    26]) in(position[1 << 26]) in(neighList[1 << 26]) launch((nAtom + 255) / 256, 256)
__global__ void compute_lj_force(float4 *force, const float4 *position, const int *neighList,
                                 const int nAtom, const int neighCount,
                                 const float cutsq, const float lj1, const float lj2)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= nAtom) return;

    float4 ipos = position[idx];
    float fx = 0.f, fy = 0.f, fz = 0.f, energy = 0.f;

    int j = 0;
    while (j < neighCount) {
        int jidx = neighList[j * nAtom + idx];
        float4 jpos = position[jidx];

        float delx = ipos.x - jpos.x;
        float dely = ipos.y - jpos.y;
        float delz = ipos.z - jpos.z;
        float r2 = delx * delx + dely * dely + delz * delz;

        if (r2 < cutsq && jidx != idx) {
            float r2inv = 1.0f / r2;
            float r6inv = r2inv * r2inv * r2inv;
            float f = r2inv * r6inv * (lj1 * r6inv - lj2);

            fx += delx * f;
            fy += dely * f;
            fz += delz * f;
            energy += r6inv * (lj1 / 12.0f * r6inv - lj2 / 6.0f);
        }
        j++;
    }

    force[idx] = make_float4(fx, fy, fz, 0.5f * energy);
}

// nearest cluster; features are stored feature-major, clusters cluster-major
#pragma cupilot optimize
#pragma cupilot workload(timed) set(nfeatures = 16, npoints = 2097152, nclusters = 10) inout(features[1 << 26]) \
    inout(membership[1 << 26]) inout(clusters[1 << 26]) launch((npoints + 255) / 256, 256)
__global__ void
kmeansPoint(float *features,
            int nfeatures,
            int npoints,
            int nclusters,
            int *membership,
            float *clusters)
{
	const unsigned int point_id = blockIdx.x * blockDim.x + threadIdx.x;
	int index = -1;

	if (point_id < npoints)
	{
		int i, j;
		float min_dist = FLT_MAX;
		float dist;

		/* find the cluster center id with min distance to pt */
		for (i = 0; i < nclusters; i++) {
			int cluster_base_index = i * nfeatures;
			float ans = 0.0;

			for (j = 0; j < nfeatures; j++)
			{
				int addr = point_id + j * npoints;
				float diff = features[addr] - clusters[cluster_base_index + j];
				ans += diff * diff;
			}
			dist = ans;

			if (dist < min_dist) {
				min_dist = dist;
				index = i;
			}
		}

		membership[point_id] = index;
	}
}

// kick-drift with reflecting walls of the box [0, L)^3
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 8388608, dt = 1, L = 1) inout(x[1 << 26]) inout(y[1 << 26]) inout(z[1 << \
    26]) inout(vx[1 << 26]) inout(vy[1 << 26]) inout(vz[1 << 26]) in(fx[1 << 26]) in(fy[1 << 26]) in(fz[1 << 26]) in(mass[1 << 26]) launch((n + 511) / 512, 512)
__global__ void integrate_soa(float *__restrict__ x, float *__restrict__ y, float *__restrict__ z,
                              float *__restrict__ vx, float *__restrict__ vy, float *__restrict__ vz,
                              const float *__restrict__ fx, const float *__restrict__ fy, const float *__restrict__ fz,
                              const float *__restrict__ mass, float dt, float L, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    const float s = dt / mass[i];
    float ux = vx[i] + s * fx[i];
    float uy = vy[i] + s * fy[i];
    float uz = vz[i] + s * fz[i];

    float px = x[i] + dt * ux;
    float py = y[i] + dt * uy;
    float pz = z[i] + dt * uz;

    if (px < 0.f) { px = -px;           ux = -ux; }
    if (px > L)   { px = 2.f * L - px;  ux = -ux; }
    if (py < 0.f) { py = -py;           uy = -uy; }
    if (py > L)   { py = 2.f * L - py;  uy = -uy; }
    if (pz < 0.f) { pz = -pz;           uz = -uz; }
    if (pz > L)   { pz = 2.f * L - pz;  uz = -uz; }

    x[i] = px;   y[i] = py;   z[i] = pz;
    vx[i] = ux;  vy[i] = uy;  vz[i] = uz;
}

// Histogram of the speed, nbins bins of width vmax / nbins, the last one catches the rest.
// Block-private histogram in dynamic shared memory.
#pragma cupilot optimize
#pragma cupilot workload(timed) set(n = 16777216, nbins = 512, vmax = 1) in(vel[1 << 26]) inout(hist[1 << 26]) \
    launch(528, 256, nbins * 4)
__global__ void speed_histogram(const float4* vel, int n, unsigned int* hist, int nbins, float vmax)
{
    extern __shared__ unsigned int local[];
    for (int b = threadIdx.x; b < nbins; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    float inv_width = nbins / vmax;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float4 v = vel[i];
        float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
        int b = (int)(speed * inv_width);
        if (b >= nbins || b < 0) b = nbins - 1;
        atomicAdd(&local[b], 1u);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < nbins; b += blockDim.x)
        if (local[b] > 0)
            atomicAdd(&hist[b], local[b]);
}
//= nbody_forces: lifted
//= compute_lj_force: lifted
//= kmeansPoint: lifted
//= integrate_soa: lifted
//= speed_histogram: how often threads exchange values is not known
