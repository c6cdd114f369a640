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

std::vector<Node *> list(Node *const *nodes, std::size_t count) {
  return {nodes, nodes + (nodes ? count : 0)};
}

int add(Node **node, void *handle, Node *const *after, std::size_t count, NodeKind kind, Work work,
        std::shared_ptr<void> parameters = nullptr) {
  const auto graph = find_graph(handle);
  if (!graph) return abi::kInvalidValue;
  auto *const made = graph->add(kind, std::move(work), list(after, count));
  made->parameters = std::move(parameters);
  if (node) *node = made;
  return abi::kSuccess;
}

/// Arguments are copied when the node is made, as CUDA does.
int kernel_work(const abi::KernelNode &node, Work &work) {
  auto *const kernel = find_kernel(node.function);
  if (!kernel) return abi::kInvalidDeviceFunction;
  if (node.extra)
    return refuse(abi::kNotSupported,
                  "kernel nodes that pass their parameters through 'extra' are not supported");
  if (const int code = kernel->resolve()) return code;
  Launch launch{kernel, node.grid, node.block, node.shared_bytes, false, {}};
  if (const int code = check_launch(launch)) return code;
  if (const int code = pack_parameters(launch, node.parameters)) return code;
  work = [launch = std::move(launch)] { return run_launch(launch); };
  return abi::kSuccess;
}

Work memset_work(const abi::MemsetNode &node) {
  return [node] {
    const auto width = node.width * node.element_bytes;
    const auto pitch = node.height > 1 ? node.pitch : width;
    return fill_region({static_cast<std::byte *>(node.destination), pitch, 0}, {width, node.height, 1},
                       node.value, node.element_bytes);
  };
}

Work host_work(const abi::HostNode &node) {
  return [node]() -> int {
    node.function(node.data);
    return abi::kSuccess;
  };
}

/// The node of the executable graph that was made from `node`.
Node *find_in(void *executable, const Node *node) {
  const auto graph = find_graph(executable);
  return graph && node && node->index < graph->nodes.size() ? graph->nodes[node->index].get() : nullptr;
}

int set_work(Node *node, Work work) {
  if (!node) return abi::kInvalidValue;
  node->run = std::move(work);
  return abi::kSuccess;
}

int set_kernel(Node *node, const abi::KernelNode &parameters) {
  Work work;
  if (!node) return abi::kInvalidValue;
  if (const int code = kernel_work(parameters, work)) return code;
  node->parameters = std::make_shared<abi::KernelNode>(parameters);
  return set_work(node, std::move(work));
}

/// As cudaGraphGetNodes and its kin answer: how many, and the first of them.
int answer(const std::vector<Node *> &found, Node **nodes, std::size_t *count) {
  if (nodes) std::copy_n(found.begin(), std::min(*count, found.size()), nodes);
  *count = nodes ? std::min(*count, found.size()) : found.size();
  return abi::kSuccess;
}

std::vector<Node *> nodes_of(void *handle, bool only_roots) {
  std::vector<Node *> nodes;
  if (const auto graph = find_graph(handle))
    for (const auto &node : graph->nodes)
      if (!only_roots || node->after.empty()) nodes.push_back(node.get());
  return nodes;
}

}  // namespace

extern "C" {

int cudaGraphCreate(void **graph, unsigned) {
  return call([&] {
    *graph = keep_graph(std::make_shared<Graph>());
    return abi::kSuccess;
  });
}
int cudaGraphClone(void **copy, void *graph) {
  return call([&]() -> int {
    const auto found = find_graph(graph);
    if (!found) return abi::kInvalidValue;
    *copy = keep_graph(clone(*found));
    return abi::kSuccess;
  });
}

int cudaGraphAddKernelNode(Node **node, void *graph, Node *const *after, std::size_t count,
                           const abi::KernelNode *parameters) {
  return call([&] {
    Work work;
    if (const int code = kernel_work(*parameters, work)) return code;
    return add(node, graph, after, count, NodeKind::kernel, std::move(work),
               std::make_shared<abi::KernelNode>(*parameters));
  });
}
int cudaGraphAddMemcpyNode(Node **node, void *graph, Node *const *after, std::size_t count,
                           const abi::Copy3D *copy) {
  return call([&] {
    return add(node, graph, after, count, NodeKind::memcpy, [copy = *copy] { return copy_3d(copy); });
  });
}
int cudaGraphAddMemcpyNode1D(Node **node, void *graph, Node *const *after, std::size_t count, void *to,
                             const void *from, std::size_t bytes, int kind) {
  return call([&] {
    return add(node, graph, after, count, NodeKind::memcpy,
               [=] { return copy_bytes(to, from, bytes, kind); });
  });
}
int cudaGraphAddMemsetNode(Node **node, void *graph, Node *const *after, std::size_t count,
                           const abi::MemsetNode *parameters) {
  return call([&] { return add(node, graph, after, count, NodeKind::memset, memset_work(*parameters)); });
}
int cudaGraphAddHostNode(Node **node, void *graph, Node *const *after, std::size_t count,
                         const abi::HostNode *parameters) {
  return call([&] { return add(node, graph, after, count, NodeKind::host, host_work(*parameters)); });
}
int cudaGraphAddEmptyNode(Node **node, void *graph, Node *const *after, std::size_t count) {
  return call([&] { return add(node, graph, after, count, NodeKind::empty, {}); });
}
int cudaGraphAddChildGraphNode(Node **node, void *graph, Node *const *after, std::size_t count, void *child) {
  return call([&]() -> int {
    const auto found = find_graph(child);
    if (!found) return abi::kInvalidValue;
    const std::shared_ptr<const Graph> copy = clone(*found);
    return add(node, graph, after, count, NodeKind::graph, [copy] { return run_graph(*copy); });
  });
}

/// CUDA 12 has no edges: its fourth argument is the count, and no pointer is that small.
int cudaGraphAddDependencies(void *graph, Node *const *from, Node *const *to, std::uintptr_t edges,
                             std::size_t count) {
  constexpr std::uintptr_t kMostCount = 4096;
  return call([&]() -> int {
    if (!find_graph(graph)) return abi::kInvalidValue;
    if (edges && edges < kMostCount) count = edges;
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    return abi::kSuccess;
  });
}
int cudaGraphGetNodes(void *graph, Node **nodes, std::size_t *count) {
  return call([&] { return answer(nodes_of(graph, false), nodes, count); });
}
int cudaGraphGetRootNodes(void *graph, Node **nodes, std::size_t *count) {
  return call([&] { return answer(nodes_of(graph, true), nodes, count); });
}
int cudaGraphNodeGetType(Node *node, int *kind) {
  return call([&] {
    *kind = static_cast<int>(node->kind);
    return abi::kSuccess;
  });
}

int cudaGraphKernelNodeGetParams(Node *node, abi::KernelNode *parameters) {
  return call([&]() -> int {
    if (!node || node->kind != NodeKind::kernel || !node->parameters) return abi::kInvalidValue;
    *parameters = *std::static_pointer_cast<abi::KernelNode>(node->parameters);
    return abi::kSuccess;
  });
}
int cudaGraphKernelNodeSetParams(Node *node, const abi::KernelNode *parameters) {
  return call([&] { return set_kernel(node, *parameters); });
}
int cudaGraphExecKernelNodeSetParams(void *executable, Node *node, const abi::KernelNode *parameters) {
  return call([&] { return set_kernel(find_in(executable, node), *parameters); });
}
int cudaGraphExecMemcpyNodeSetParams1D(void *executable, Node *node, void *to, const void *from,
                                       std::size_t bytes, int kind) {
  return call(
      [&] { return set_work(find_in(executable, node), [=] { return copy_bytes(to, from, bytes, kind); }); });
}
int cudaGraphExecMemsetNodeSetParams(void *executable, Node *node, const abi::MemsetNode *parameters) {
  return call([&] { return set_work(find_in(executable, node), memset_work(*parameters)); });
}
int cudaGraphExecHostNodeSetParams(void *executable, Node *node, const abi::HostNode *parameters) {
  return call([&] { return set_work(find_in(executable, node), host_work(*parameters)); });
}
int cudaGraphNodeSetEnabled(void *executable, Node *node, unsigned enabled) {
  return call([&]() -> int {
    auto *const found = find_in(executable, node);
    if (!found) return abi::kInvalidValue;
    found->enabled = enabled != 0;
    return abi::kSuccess;
  });
}

}  // extern "C"
