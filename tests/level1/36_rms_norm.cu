// SPDX-License-Identifier: Apache-2.0
//
// Root-mean-square normalisation over the second of three dimensions, a thread a pixel: neighbouring threads
// read neighbouring pixels of one feature.
//
// The judge keeps every output in the host's memory, so it times 8 of KernelBench's 112 images;
// `whole_batch` takes the verified domain up to all of them, and measure.py runs the whole problem.

#include "level1.h"

#pragma cupilot optimize
#pragma cupilot workload(kernelbench_part) set(batch = 8, features = 64, plane = 512 * 512, eps = 1e-5) \
    in(x[batch * features * plane]) out(y[batch * features * plane])
#pragma cupilot workload(whole_batch) set(batch = 112, features = 64, plane = 256, eps = 1e-5) \
    in(x[batch * features * plane]) out(y[batch * features * plane]) check
#pragma cupilot workload(small) set(batch = 2, features = 32, plane = 512, eps = 1e-5) \
    in(x[batch * features * plane]) out(y[batch * features * plane]) check
#pragma cupilot workload(odd) set(batch = 3, features = 17, plane = 331, eps = 1e-5) \
    in(x[batch * features * plane]) out(y[batch * features * plane]) check
#pragma cupilot workload(other) set(batch = 5, features = 64, plane = 100 * 100, eps = 1e-5) \
    in(x[batch * features * plane]) out(y[batch * features * plane]) holdout
__global__ void rms_norm(const float *x, float *y, int batch, int features, int plane, float eps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * plane) return;
  const int image = i / plane, pixel = i % plane;
  const size_t first = (size_t)image * features * plane + pixel;

  float sum = 0;
  for (int f = 0; f < features; ++f) {
    const float value = x[first + (size_t)f * plane];
    sum += value * value;
  }
  const float rms = sqrtf(sum / features + eps);
  for (int f = 0; f < features; ++f) y[first + (size_t)f * plane] = x[first + (size_t)f * plane] / rms;
}

cudaError_t run_rms_norm(const float *x, float *y, int batch, int features, int plane, float eps,
                         cudaStream_t stream) {
  const int threads = 256, blocks = (batch * plane + threads - 1) / threads;
  rms_norm<<<blocks, threads, 0, stream>>>(x, y, batch, features, plane, eps);
  return cudaGetLastError();
}
