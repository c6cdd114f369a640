// SPDX-License-Identifier: Apache-2.0
//
// What the three examples share: device buffers, a stopwatch on events, and the last line each prints.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
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

/// Median time of one call in microseconds, after one call to warm up. The buffers of the examples are
/// several times the size of the L2 cache, so every call starts from memory.
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

/// Prints "name: right, 142.1 us, 3778 GB/s" or how many values are wrong; the program's exit code. With sizes
/// on the command line only the results count (`cupilot emulate` has no times worth printing).
template <class Call>
int report(const std::string &name, std::size_t wrong, bool timed, const Call &call, double bytes) {
  if (wrong) {
    std::printf("%s: WRONG in %zu values\n", name.c_str(), wrong);
    return 1;
  }
  if (!timed) {
    std::printf("%s: right, not timed\n", name.c_str());
    return 0;
  }
  const double us = median_us(call);
  std::printf("%s: right, %.1f us, %.0f GB/s\n", name.c_str(), us, bytes / us / 1e3);
  return 0;
}

}  // namespace example
