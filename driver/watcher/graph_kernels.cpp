// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/graph_kernels.h"

#include <algorithm>
#include <utility>

namespace cupilot::watcher {

std::vector<std::vector<std::byte>> arguments_of(const capture::WatchedKernel &kernel,
                                                 void *const *arguments) {
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const spec::Parameter &parameter = kernel.parameters[i];
    const auto *const begin = static_cast<const std::byte *>(arguments[i]);
    copies.emplace_back(begin, begin + (parameter.pointer ? sizeof(void *) : parameter.element_bytes));
  }
  return copies;
}

capture::Call GraphKernel::call() const {
  return {kernel, grid, block, shared_bytes, {arguments.begin(), arguments.end()}};
}

GraphKernel GraphKernels::kernel_of(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &launch) const {
  const char *symbol = nullptr;
  const auto named =
      launch.func ? driver_.function_name(&symbol, launch.func) : driver_.kernel_name(&symbol, launch.kern);
  GraphKernel one;
  if (named != CUDA_SUCCESS || !symbol || !launch.kernelParams) return one;
  one.node = node;
  one.kernel = watcher_.find(symbol);
  one.symbol = symbol;
  one.grid = {launch.gridDimX, launch.gridDimY, launch.gridDimZ};
  one.block = {launch.blockDimX, launch.blockDimY, launch.blockDimZ};
  one.shared_bytes = launch.sharedMemBytes;
  if (one.kernel) one.arguments = arguments_of(*one.kernel, launch.kernelParams);
  return one;
}

void GraphKernels::add_kernels(CUgraph graph, std::vector<GraphKernel> &kernels) const {
  std::size_t count = 0;
  if (driver_.graph_nodes(graph, nullptr, &count) != CUDA_SUCCESS || count == 0) return;
  std::vector<CUgraphNode> nodes(count);
  if (driver_.graph_nodes(graph, nodes.data(), &count) != CUDA_SUCCESS) return;
  for (CUgraphNode node : nodes) {
    CUgraphNodeType type{};
    if (driver_.node_type(node, &type) != CUDA_SUCCESS) continue;
    CUDA_KERNEL_NODE_PARAMS launch{};
    CUgraph child = nullptr;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH && driver_.child_graph(node, &child) == CUDA_SUCCESS)
      add_kernels(child, kernels);
    if (type == CU_GRAPH_NODE_TYPE_KERNEL && driver_.node_launch(node, &launch) == CUDA_SUCCESS)
      if (GraphKernel one = kernel_of(node, launch); one.kernel) kernels.push_back(std::move(one));
  }
}

void GraphKernels::made(CUgraphExec made, CUgraph graph) {
  std::vector<GraphKernel> kernels;
  add_kernels(graph, kernels);
  const std::lock_guard lock(mutex_);
  graphs_[made] = std::move(kernels);  // the handle may be that of one that is gone
}

void GraphKernels::node_set(CUgraphExec made, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &now) {
  GraphKernel one = kernel_of(node, now);
  const std::lock_guard lock(mutex_);
  auto &kernels = graphs_[made];
  std::erase_if(kernels, [&](const GraphKernel &old) { return old.node == node; });
  if (one.kernel) kernels.push_back(std::move(one));
}

std::vector<GraphKernel> GraphKernels::of(CUgraphExec graph) const {
  const std::lock_guard lock(mutex_);
  const auto known = graphs_.find(graph);
  return known == graphs_.end() ? std::vector<GraphKernel>() : known->second;
}

}  // namespace cupilot::watcher
