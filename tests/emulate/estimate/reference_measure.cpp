// SPDX-License-Identifier: Apache-2.0
//
// estimate_reference --measure [--json FILE] [NAME...]: times the reference kernels on this machine's GPU.
//
//   cmake --preset worker && cmake --build --preset worker --target cupilot-worker estimate_reference
//   build/worker/bin/cupilot-worker --calibrate --json calibration.json     (below a minute)
//   build/worker/bin/estimate_reference --measure --json reference.json    (below a minute)
//
// Cold caches, the device's own time, median of 7 launches (3 for those over 20 ms). One JSON line a kernel:
// {"kernel": "saxpy", "fresh": false, "time_us": 230.4}
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "annotate/support/files.h"
#include "evolution/device/kernels/cuda_call.h"
#include "evolution/device/timing/stopwatch.h"
#include "tests/emulate/estimate/reference_cases.h"
#include "tests/emulate/estimate/reference_launch.h"

namespace cupilot::reference {
using namespace cupilot::device::kernels;
using namespace cupilot::device::timing;
using namespace cupilot::judge::time;

namespace {

constexpr std::uint64_t kCounterBytes = 65536;

/// Device buffers of one case, and the argument list cudaLaunchKernel takes.
class Arguments {
public:
  Result<> prepare(const ReferenceCase &which, cudaStream_t stream) {
    for (const Argument &argument : which.arguments) {
      values_.push_back(0);
      if (argument.kind == Argument::Kind::integer) std::memcpy(&values_.back(), &argument.integer, 4);
      if (argument.kind == Argument::Kind::real) std::memcpy(&values_.back(), &argument.real, 4);
      if (argument.kind != Argument::Kind::buffer) continue;
      void *memory = nullptr;
      CUPILOT_CUDA("allocating a buffer", cudaMalloc(&memory, argument.bytes));
      std::memcpy(&values_.back(), &memory, sizeof memory);
      owned_.push_back(memory);
      if (argument.fill == Fill::none && argument.bytes <= kCounterBytes)
        counters_.emplace_back(memory, argument.bytes);
      CUPILOT_CUDA("filling a buffer",
                   fill_buffer(memory, argument.bytes, argument.fill, argument.limit, stream));
    }
    for (auto &value : values_) pointers_.push_back(&value);
    CUPILOT_CUDA("filling buffers", cudaStreamSynchronize(stream));
    return {};
  }
  ~Arguments() {
    for (void *memory : owned_) (void)cudaFree(memory);
  }
  /// Counters start at zero in every launch.
  Result<> reset(cudaStream_t stream) {
    for (const auto &[memory, bytes] : counters_)
      CUPILOT_CUDA("clearing a counter", cudaMemsetAsync(memory, 0, bytes, stream));
    return {};
  }
  void **list() { return pointers_.data(); }

private:
  std::vector<std::uint64_t> values_;
  std::vector<void *> owned_, pointers_;
  std::vector<std::pair<void *, std::uint64_t>> counters_;
};

Result<double> median_us(Stopwatch &watch, const ReferenceCase &which, const void *kernel,
                         cudaStream_t stream) {
  Arguments arguments;
  CUPILOT_CHECKED(arguments.prepare(which, stream));
  const dim3 grid(which.grid[0], which.grid[1], which.grid[2]),
      block(which.block[0], which.block[1], which.block[2]);
  const Stopwatch::Launch launch = [&] {
    return cuda_result(cudaLaunchKernel(kernel, grid, block, arguments.list(), which.shared_bytes, stream),
                       "launching");
  };
  std::vector<double> times;
  const auto sample_once = [&]() -> Result<Sample> {
    CUPILOT_CHECKED(arguments.reset(stream));
    return watch.cold(launch);
  };
  CUPILOT_TRY(first, sample_once());
  const std::size_t wanted = first.time_us > 20'000 ? 3 : 7;
  while (times.size() < wanted) {
    CUPILOT_TRY(sample, sample_once());
    times.push_back(sample.time_us);
  }
  std::ranges::sort(times);
  return times[wanted / 2];
}

Result<> measure(const std::string &file, const std::vector<std::string> &wanted) {
  cudaDeviceProp properties{};
  CUPILOT_CUDA("asking for the device's properties", cudaGetDeviceProperties(&properties, 0));
  cudaStream_t stream = nullptr;
  CUPILOT_CUDA("creating a stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUPILOT_TRY(watch, Stopwatch::make(stream, static_cast<std::size_t>(properties.l2CacheSize),
                                     properties.multiProcessorCount));
  auto kernels = old_kernels();
  kernels.merge(fresh_kernels());
  std::string text;
  bool failures = false;
  for (const ReferenceCase &which : reference_cases()) {
    if (!wanted.empty() && std::ranges::find(wanted, which.name) == wanted.end()) continue;
    if (!kernels.contains(which.kernel)) return fail("no kernel " + which.kernel);
    auto time = median_us(*watch, which, kernels.at(which.kernel), stream);
    if (!time) {
      std::fprintf(stderr, "measuring %s: %s\n", which.name.c_str(), time.error().message.c_str());
      failures = true;
      if (cudaStreamSynchronize(stream) != cudaSuccess) break;  // CUDA's errors stick to the process
      continue;
    }
    char line[200];
    std::snprintf(line, sizeof line, "{\"kernel\": \"%s\", \"fresh\": %s, \"time_us\": %.2f}\n",
                  which.name.c_str(), which.fresh ? "true" : "false", *time);
    std::fputs(line, stdout);
    std::fflush(stdout);
    text += line;
  }
  if (!file.empty()) CUPILOT_CHECKED(write_file_atomic(file, text));
  if (failures) return fail("some kernels were not measured");
  return {};
}

}  // namespace

}  // namespace cupilot::reference

int main(int argc, char **argv) {
  std::string file;
  std::vector<std::string> wanted;
  bool measuring = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--measure") == 0)
      measuring = true;
    else if (std::strcmp(argv[i], "--json") == 0 && i + 1 < argc)
      file = argv[++i];
    else
      wanted.emplace_back(argv[i]);
  }
  if (!measuring)
    return std::fputs("usage: estimate_reference --measure [--json FILE] [NAME...]\n", stderr), 2;
  const auto done = cupilot::reference::measure(file, wanted);
  if (!done) std::fprintf(stderr, "estimate_reference: error: %s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
