// SPDX-License-Identifier: Apache-2.0
//
// One micro-benchmark: what it launches, how it is timed, and how its time becomes a figure. Uses only C++17
// and the CUDA runtime, because nvcc and g++ both include this header.

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cupilot::device::calibrate {

/// Memory and sizes that every experiment may use. The contents are random words unless an experiment sets
/// them.
struct Bench {
  unsigned char *from = nullptr, *to = nullptr;  ///< `bytes` each
  std::uint64_t bytes = 0;
  long long *cycles = nullptr;  ///< device memory: kernels on one multiprocessor leave their time here
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0, shared_per_multiprocessor = 0, shared_per_block = 0;
  std::uint64_t l2_bytes = 0;
  cudaStream_t stream = nullptr;
};

enum class Timing {
  cold,   ///< events around one launch after the L2 was flushed
  warm,   ///< events around one launch, right after another launch of the same
  cycles  ///< the cycles that the kernel itself counts in Bench::cycles
};

struct Experiment {
  std::string name;
  std::map<std::string, double> at;
  std::string unit;
  Timing timing = Timing::cold;
  double work = 1;   ///< per launch
  bool rate = true;  ///< value = work / time, else time / work; in seconds or cycles
  double scale = 1;  ///< factor of the value: 1e-9 for GB/s, 1e6 for microseconds
  std::function<cudaError_t(const Bench &)> launch;
  std::function<cudaError_t(const Bench &)> prepare;  ///< before the first launch; may be empty
};

cudaError_t fill_random(const Bench &bench);  ///< fills Bench::from

std::vector<Experiment> stream_experiments(const Bench &bench);   ///< DRAM: widths, warps, loads in flight
std::vector<Experiment> pattern_experiments(const Bench &bench);  ///< DRAM and L2: strides, columns, random
std::vector<Experiment> latency_experiments(const Bench &bench);  ///< pointer chases
std::vector<Experiment> cache_experiments(const Bench &bench);    ///< L1, L2 and shared-memory bandwidth
std::vector<Experiment> compute_experiments(const Bench &bench);  ///< instructions and tensor cores
std::vector<Experiment> atomic_experiments(const Bench &bench);
std::vector<Experiment> launch_experiments(const Bench &bench);  ///< blocks, kernels, barriers

}  // namespace cupilot::device::calibrate
