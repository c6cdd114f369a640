// SPDX-License-Identifier: Apache-2.0
//
// The table of graphs.

#include "evolution/emulate/runtime/api/graph/graphs.h"

#include <map>

namespace cupilot::emulate::runtime {
namespace {

std::map<const void *, std::shared_ptr<Graph>> &graphs() {
  static auto &all =
      *new std::map<const void *, std::shared_ptr<Graph>>;  // outlives the program's destructors
  return all;
}

}  // namespace

void *keep_graph(std::shared_ptr<Graph> graph) {
  // never handed out twice: a handle of a destroyed graph stays unknown
  static std::uintptr_t last = 0x1000;
  auto *const handle = reinterpret_cast<void *>(last += 16);
  graphs()[handle] = std::move(graph);
  return handle;
}

std::shared_ptr<Graph> find_graph(const void *handle) {
  const auto found = graphs().find(handle);
  return found == graphs().end() ? nullptr : found->second;
}

void replace_graph(void *handle, std::shared_ptr<Graph> graph) {
  graphs()[handle] = std::move(graph);
}

bool drop_graph(void *handle) {
  return graphs().erase(handle) > 0;
}

}  // namespace cupilot::emulate::runtime
