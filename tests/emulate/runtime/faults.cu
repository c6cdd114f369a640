// SPDX-License-Identifier: Apache-2.0
//
// One fault a run, by name: the program prints the error code its launch ended with, and what a call
// afterwards says (a fault stays).

#include <cuda_runtime.h>
#include <cassert>
#include <cstdio>
#include <cstring>

// The line each finding names carries the fault's name.
__global__ void past_the_end(int *p) {
  p[threadIdx.x + 1] = 1;  // past_the_end
}
__global__ void misaligned(char *p) {
  *reinterpret_cast<int *>(p + 1) = 1;  // misaligned
}
__global__ void asserts(int n) {
  assert(n == 0);  // asserts
}
__global__ void traps() {
  __trap();  // traps
}
__global__ void endless(volatile int *p) {
  while (*p == 0) continue;  // endless
}
__global__ void races(int *out) {
  __shared__ int word;
  word = threadIdx.x;  // races
  __syncthreads();
  out[threadIdx.x] = word;
}
__global__ void null_pointer(int *p) {
  *p = 1;  // null_pointer
}

int main(int argc, char **argv) {
  const char *fault = argc > 1 ? argv[1] : "";
  int *p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  if (!std::strcmp(fault, "past_the_end")) past_the_end<<<1, 64>>>(p);
  if (!std::strcmp(fault, "misaligned")) misaligned<<<1, 1>>>(reinterpret_cast<char *>(p));
  if (!std::strcmp(fault, "asserts")) asserts<<<1, 1>>>(1);
  if (!std::strcmp(fault, "traps")) traps<<<1, 1>>>();
  if (!std::strcmp(fault, "endless")) endless<<<1, 1>>>(p);
  if (!std::strcmp(fault, "races")) races<<<1, 64>>>(p);
  if (!std::strcmp(fault, "null_pointer")) null_pointer<<<1, 1>>>(nullptr);
  const int at_launch = cudaGetLastError();
  const int afterwards = cudaDeviceSynchronize();
  std::printf("%s: %d %d\n", fault, at_launch, afterwards);
  cudaDeviceReset();
  std::printf("after a reset: %d\n", cudaMalloc(&p, 4));
  return 0;
}
