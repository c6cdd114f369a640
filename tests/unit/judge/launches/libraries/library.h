// SPDX-License-Identifier: Apache-2.0
//
// What nvcc's host code looks like from the runtime's side: one kernel, k(int, double *), registered by a
// constructor.

#pragma once

#include <cstddef>

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

struct Call {
  unsigned grid[3], block[3];
  unsigned long long shared_bytes;
  void *stream;
  void **args;
  unsigned long long scratch_bytes;
};

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit,
                            void *, void *, void *, void *, int *);
int cudaLaunchKernel(const void *function, Dim3 grid, Dim3 block, void **arguments, std::size_t shared_bytes,
                     void *stream);
int cudaMemsetAsync(void *to, int value, std::size_t bytes, void *stream);
int cudaMallocAsync(void **to, std::size_t bytes, void *stream);
int cudaFuncSetAttribute(const void *function, int attribute, int value);
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                  std::size_t dynamic_shared);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaGetDevice(int *device);
int cudaGetLastError();
int cudaPeekAtLastError();
}

inline char kernel_stub;

inline int launch_kernel(const Call *call, void *stream) {
  return cudaLaunchKernel(&kernel_stub, {call->grid[0], call->grid[1], call->grid[2]},
                          {call->block[0], call->block[1], call->block[2]}, call->args, call->shared_bytes,
                          stream);
}

inline int register_kernel() {
  __cudaRegisterFunction(__cudaRegisterFatBinary(nullptr), &kernel_stub, nullptr, "k", -1, nullptr, nullptr,
                         nullptr, nullptr, nullptr);
  return 0;
}
