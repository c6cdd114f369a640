// SPDX-License-Identifier: Apache-2.0
//
// Graphs built node by node. A node's handle is the node; an executable graph finds its copy by the index.

#include <algorithm>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/graph/graphs.h"
#include "evolution/emulate/runtime/api/launch/launch.h"
#include "evolution/emulate/runtime/api/memory/copy.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

using Work = std::function<int()>;

std::vector<cupilot::emulate::runtime::Node *> list(cupilot::emulate::runtime::Node *const *nodes,
                                                    std::size_t count) {
  return {nodes, nodes + (nodes ? count : 0)};
}

int add(cupilot::emulate::runtime::Node **node, void *handle, cupilot::emulate::runtime::Node *const *after,
        std::size_t count, cupilot::emulate::runtime::NodeKind kind, Work work,
        std::shared_ptr<void> parameters = nullptr) {
  const auto graph = cupilot::emulate::runtime::find_graph(handle);
  if (!graph) return cupilot::emulate::runtime::abi::kInvalidValue;
  auto *const made = graph->add(kind, std::move(work), list(after, count));
  made->parameters = std::move(parameters);
  if (node) *node = made;
  return cupilot::emulate::runtime::abi::kSuccess;
}

/// Arguments are copied when the node is made, as CUDA does.
int kernel_work(const cupilot::emulate::runtime::abi::KernelNode &node, Work &work) {
  auto *const kernel = cupilot::emulate::runtime::find_kernel(node.function);
  if (!kernel) return cupilot::emulate::runtime::abi::kInvalidDeviceFunction;
  if (node.extra)
    return cupilot::emulate::runtime::refuse(
        cupilot::emulate::runtime::abi::kNotSupported,
        "kernel nodes that pass their parameters through 'extra' are not supported");
  if (const int code = kernel->resolve()) return code;
  cupilot::emulate::runtime::Launch launch{kernel, node.grid, node.block, node.shared_bytes, false, {}};
  if (const int code = cupilot::emulate::runtime::check_launch(launch)) return code;
  if (const int code = cupilot::emulate::runtime::pack_parameters(launch, node.parameters)) return code;
  work = [launch = std::move(launch)] { return cupilot::emulate::runtime::run_launch(launch); };
  return cupilot::emulate::runtime::abi::kSuccess;
}

Work memset_work(const cupilot::emulate::runtime::abi::MemsetNode &node) {
  return [node] {
    const auto width = node.width * node.element_bytes;
    const auto pitch = node.height > 1 ? node.pitch : width;
    return cupilot::emulate::runtime::fill_region({static_cast<std::byte *>(node.destination), pitch, 0},
                                                  {width, node.height, 1}, node.value, node.element_bytes);
  };
}

Work host_work(const cupilot::emulate::runtime::abi::HostNode &node) {
  return [node]() -> int {
    node.function(node.data);
    return cupilot::emulate::runtime::abi::kSuccess;
  };
}

/// The node of the executable graph that was made from `node`.
cupilot::emulate::runtime::Node *find_in(void *executable, const cupilot::emulate::runtime::Node *node) {
  const auto graph = cupilot::emulate::runtime::find_graph(executable);
  return graph && node && node->index < graph->nodes.size() ? graph->nodes[node->index].get() : nullptr;
}

int set_work(cupilot::emulate::runtime::Node *node, Work work) {
  if (!node) return cupilot::emulate::runtime::abi::kInvalidValue;
  node->run = std::move(work);
  return cupilot::emulate::runtime::abi::kSuccess;
}

int set_kernel(cupilot::emulate::runtime::Node *node,
               const cupilot::emulate::runtime::abi::KernelNode &parameters) {
  Work work;
  if (!node) return cupilot::emulate::runtime::abi::kInvalidValue;
  if (const int code = kernel_work(parameters, work)) return code;
  node->parameters = std::make_shared<cupilot::emulate::runtime::abi::KernelNode>(parameters);
  return set_work(node, std::move(work));
}

/// As cudaGraphGetNodes and its kin answer: how many, and the first of them.
int answer(const std::vector<cupilot::emulate::runtime::Node *> &found,
           cupilot::emulate::runtime::Node **nodes, std::size_t *count) {
  if (nodes) std::copy_n(found.begin(), std::min(*count, found.size()), nodes);
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return cupilot::emulate::runtime::abi::kSuccess;
}

std::vector<cupilot::emulate::runtime::Node *> nodes_of(void *handle, bool only_roots) {
  std::vector<cupilot::emulate::runtime::Node *> nodes;
  if (const auto graph = cupilot::emulate::runtime::find_graph(handle))
    for (const auto &node : graph->nodes)
      if (!only_roots || node->after.empty()) nodes.push_back(node.get());
  return nodes;
}

}  // namespace

extern "C" {

int cudaGraphCreate(void **graph, unsigned) {
  return cupilot::emulate::runtime::call([&] {
    *graph = cupilot::emulate::runtime::keep_graph(std::make_shared<cupilot::emulate::runtime::Graph>());
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaGraphClone(void **copy, void *graph) {
  return cupilot::emulate::runtime::call([&]() -> int {
    const auto found = cupilot::emulate::runtime::find_graph(graph);
    if (!found) return cupilot::emulate::runtime::abi::kInvalidValue;
    *copy = cupilot::emulate::runtime::keep_graph(cupilot::emulate::runtime::clone(*found));
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaGraphAddKernelNode(cupilot::emulate::runtime::Node **node, void *graph,
                           cupilot::emulate::runtime::Node *const *after, std::size_t count,
                           const cupilot::emulate::runtime::abi::KernelNode *parameters) {
  return cupilot::emulate::runtime::call([&] {
    Work work;
    if (const int code = kernel_work(*parameters, work)) return code;
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::kernel, std::move(work),
               std::make_shared<cupilot::emulate::runtime::abi::KernelNode>(*parameters));
  });
}
int cudaGraphAddMemcpyNode(cupilot::emulate::runtime::Node **node, void *graph,
                           cupilot::emulate::runtime::Node *const *after, std::size_t count,
                           const cupilot::emulate::runtime::abi::Copy3D *copy) {
  return cupilot::emulate::runtime::call([&] {
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::memcpy,
               [copy = *copy] { return cupilot::emulate::runtime::copy_3d(copy); });
  });
}
int cudaGraphAddMemcpyNode1D(cupilot::emulate::runtime::Node **node, void *graph,
                             cupilot::emulate::runtime::Node *const *after, std::size_t count, void *to,
                             const void *from, std::size_t bytes, int kind) {
  return cupilot::emulate::runtime::call([&] {
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::memcpy,
               [=] { return cupilot::emulate::runtime::copy_bytes(to, from, bytes, kind); });
  });
}
int cudaGraphAddMemsetNode(cupilot::emulate::runtime::Node **node, void *graph,
                           cupilot::emulate::runtime::Node *const *after, std::size_t count,
                           const cupilot::emulate::runtime::abi::MemsetNode *parameters) {
  return cupilot::emulate::runtime::call([&] {
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::memset,
               memset_work(*parameters));
  });
}
int cudaGraphAddHostNode(cupilot::emulate::runtime::Node **node, void *graph,
                         cupilot::emulate::runtime::Node *const *after, std::size_t count,
                         const cupilot::emulate::runtime::abi::HostNode *parameters) {
  return cupilot::emulate::runtime::call([&] {
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::host, host_work(*parameters));
  });
}
int cudaGraphAddEmptyNode(cupilot::emulate::runtime::Node **node, void *graph,
                          cupilot::emulate::runtime::Node *const *after, std::size_t count) {
  return cupilot::emulate::runtime::call(
      [&] { return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::empty, {}); });
}
int cudaGraphAddChildGraphNode(cupilot::emulate::runtime::Node **node, void *graph,
                               cupilot::emulate::runtime::Node *const *after, std::size_t count,
                               void *child) {
  return cupilot::emulate::runtime::call([&]() -> int {
    const auto found = cupilot::emulate::runtime::find_graph(child);
    if (!found) return cupilot::emulate::runtime::abi::kInvalidValue;
    const std::shared_ptr<const cupilot::emulate::runtime::Graph> copy =
        cupilot::emulate::runtime::clone(*found);
    return add(node, graph, after, count, cupilot::emulate::runtime::NodeKind::graph,
               [copy] { return cupilot::emulate::runtime::run_graph(*copy); });
  });
}

/// CUDA 12 has no edges: its fourth argument is the count, and no pointer is that small.
int cudaGraphAddDependencies(void *graph, cupilot::emulate::runtime::Node *const *from,
                             cupilot::emulate::runtime::Node *const *to, std::uintptr_t edges,
                             std::size_t count) {
  constexpr std::uintptr_t kMostCount = 4096;
  return cupilot::emulate::runtime::call([&]() -> int {
    if (!cupilot::emulate::runtime::find_graph(graph)) return cupilot::emulate::runtime::abi::kInvalidValue;
    if (edges && edges < kMostCount) count = edges;
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaGraphGetNodes(void *graph, cupilot::emulate::runtime::Node **nodes, std::size_t *count) {
  return cupilot::emulate::runtime::call([&] { return answer(nodes_of(graph, false), nodes, count); });
}
int cudaGraphGetRootNodes(void *graph, cupilot::emulate::runtime::Node **nodes, std::size_t *count) {
  return cupilot::emulate::runtime::call([&] { return answer(nodes_of(graph, true), nodes, count); });
}
int cudaGraphNodeGetType(cupilot::emulate::runtime::Node *node, int *kind) {
  return cupilot::emulate::runtime::call([&] {
    *kind = static_cast<int>(node->kind);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaGraphKernelNodeGetParams(cupilot::emulate::runtime::Node *node,
                                 cupilot::emulate::runtime::abi::KernelNode *parameters) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (!node || node->kind != cupilot::emulate::runtime::NodeKind::kernel || !node->parameters)
      return cupilot::emulate::runtime::abi::kInvalidValue;
    *parameters = *std::static_pointer_cast<cupilot::emulate::runtime::abi::KernelNode>(node->parameters);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaGraphKernelNodeSetParams(cupilot::emulate::runtime::Node *node,
                                 const cupilot::emulate::runtime::abi::KernelNode *parameters) {
  return cupilot::emulate::runtime::call([&] { return set_kernel(node, *parameters); });
}
int cudaGraphExecKernelNodeSetParams(void *executable, cupilot::emulate::runtime::Node *node,
                                     const cupilot::emulate::runtime::abi::KernelNode *parameters) {
  return cupilot::emulate::runtime::call([&] { return set_kernel(find_in(executable, node), *parameters); });
}
int cudaGraphExecMemcpyNodeSetParams1D(void *executable, cupilot::emulate::runtime::Node *node, void *to,
                                       const void *from, std::size_t bytes, int kind) {
  return cupilot::emulate::runtime::call([&] {
    return set_work(find_in(executable, node),
                    [=] { return cupilot::emulate::runtime::copy_bytes(to, from, bytes, kind); });
  });
}
int cudaGraphExecMemsetNodeSetParams(void *executable, cupilot::emulate::runtime::Node *node,
                                     const cupilot::emulate::runtime::abi::MemsetNode *parameters) {
  return cupilot::emulate::runtime::call(
      [&] { return set_work(find_in(executable, node), memset_work(*parameters)); });
}
int cudaGraphExecHostNodeSetParams(void *executable, cupilot::emulate::runtime::Node *node,
                                   const cupilot::emulate::runtime::abi::HostNode *parameters) {
  return cupilot::emulate::runtime::call(
      [&] { return set_work(find_in(executable, node), host_work(*parameters)); });
}
int cudaGraphNodeSetEnabled(void *executable, cupilot::emulate::runtime::Node *node, unsigned enabled) {
  return cupilot::emulate::runtime::call([&]() -> int {
    auto *const found = find_in(executable, node);
    if (!found) return cupilot::emulate::runtime::abi::kInvalidValue;
    found->enabled = enabled != 0;
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

}  // extern "C"
