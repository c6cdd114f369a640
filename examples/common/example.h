// SPDX-License-Identifier: Apache-2.0
//
// What the examples share: device buffers, random numbers, the comparison with the host, a stopwatch on
// events, and the last line each prints.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace example {

inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <class T>
class DeviceBuffer {
public:
  explicit DeviceBuffer(std::size_t count) : count_(count) {
    check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;
  ~DeviceBuffer() { cudaFree(data_); }
  T *get() const { return data_; }
  void upload(const std::vector<T> &host) {
    check(cudaMemcpy(data_, host.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "upload");
  }
  std::vector<T> download() const {
    std::vector<T> host(count_);
    check(cudaMemcpy(host.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "download");
    return host;
  }

private:
  T *data_ = nullptr;
  std::size_t count_;
};

/// Random numbers from [-1, 1), the same in every run: a linear congruential generator modulo 2^32 with the
/// factor of Numerical Recipes.
class Random {
public:
  float operator()() {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<float>(state_ >> 8) / (1 << 23) - 1.0f;
  }

private:
  unsigned state_ = 1;
};

/// Whether a result is further from the exact one than `tolerance`. NaN is.
inline bool differs(double result, double exact, double tolerance) {
  return !(std::fabs(result - exact) <= tolerance);
}

/// How many of `count` results are wrong. Where each is expensive on the host, `sampled` asks for some
/// thousands of them only; the odd step makes them meet all columns of a matrix with an even number of them.
template <class IsWrong>
std::size_t count_wrong(std::size_t count, bool sampled, const IsWrong &is_wrong) {
  const std::size_t step = sampled ? count / 4096 | 1 : 1;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; i += step) wrong += is_wrong(i);
  return wrong;
}

/// Median time of one call in microseconds, after one call to warm up. The buffers of examples that are
/// limited by memory are several times the size of the L2 cache, so every call starts from memory.
template <class Call>
double median_us(const Call &call, int repeats = 21) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  call();
  std::vector<float> times(repeats);
  for (float &time : times) {
    check(cudaEventRecord(begin), "cudaEventRecord");
    call();
    check(cudaEventRecord(end), "cudaEventRecord");
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    check(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[repeats / 2] * 1e3;
}

/// The n-th size on the command line, else the usual one.
inline int size_argument(int argc, char **argv, int n, int usual) {
  const int size = n < argc ? std::atoi(argv[n]) : usual;
  if (size > 0) return size;
  std::fprintf(stderr, "sizes are numbers from 1\n");
  std::exit(2);
}

/// Prints "name: right, 142.1 us, 3778 GB/s" or how many values are wrong; the program's exit code. `work` is
/// what a call moves or computes, in bytes or in operations if `unit` is "GFLOP/s". With sizes on the command
/// line only the results count (`cupilot emulate` has no times worth printing).
template <class Call>
int report(const std::string &name, std::size_t wrong, bool timed, const Call &call, double work,
           const char *unit = "GB/s") {
  if (wrong) {
    std::printf("%s: WRONG in %zu values\n", name.c_str(), wrong);
    return 1;
  }
  if (!timed) {
    std::printf("%s: right, not timed\n", name.c_str());
    return 0;
  }
  const double us = median_us(call);
  std::printf("%s: right, %.1f us, %.0f %s\n", name.c_str(), us, work / us / 1e3, unit);
  return 0;
}

}  // namespace example
