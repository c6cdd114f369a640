// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the graphs that the program can launch. Those in conditional nodes and in graphs that the
// device launches are not known.

#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "driver/watcher/cuda_driver.h"
#include "evolution/capture/watcher.h"

namespace cupilot::watcher {

struct GraphKernel {
  CUgraphNode node = nullptr;  ///< of the graph that it was made of
  const capture::WatchedKernel *kernel = nullptr;
  std::string symbol;
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;

  capture::Call call() const;
};

class GraphKernels {
public:
  GraphKernels(const CudaDriver &driver, capture::Watcher &watcher) : driver_(driver), watcher_(watcher) {}

  void made(CUgraphExec made, CUgraph graph);
  void node_set(CUgraphExec made, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &now);
  std::vector<GraphKernel> of(CUgraphExec graph) const;

private:
  void add_kernels(CUgraph graph, std::vector<GraphKernel> &kernels) const;
  /// Without a kernel: nobody watches it.
  GraphKernel kernel_of(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &launch) const;

  const CudaDriver &driver_;
  capture::Watcher &watcher_;
  mutable std::mutex mutex_;
  std::map<CUgraphExec, std::vector<GraphKernel>> graphs_;
};

/// A copy of each argument of a watched kernel.
std::vector<std::vector<std::byte>> arguments_of(const capture::WatchedKernel &kernel,
                                                 void *const *arguments);

}  // namespace cupilot::watcher
