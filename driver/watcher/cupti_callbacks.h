// SPDX-License-Identifier: Apache-2.0
//
// The launches of a process, told by CUPTI's callbacks (CUPTI documentation, "CUPTI Callback API").

#pragma once

#include <cuda.h>

#include <array>
#include <cstdint>

#include "annotate/support/result.h"

namespace cupilot::watcher {

struct DriverLaunch {
  const char *symbol = nullptr;  ///< mangled
  std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::uint64_t shared_bytes = 0;
  CUstream stream = nullptr;
  void **arguments = nullptr;  ///< a pointer to each; nullptr: given in another way
};

/// All are called in the thread that makes the call. `place` is the call's own, zero when it begins; "ended":
/// it has been queued. What is thrown ends the watching.
class DriverListener {
public:
  virtual ~DriverListener() = default;
  virtual void launch_begins(const DriverLaunch &launch, std::uint64_t *place) = 0;
  virtual void launch_ended(const DriverLaunch &launch, std::uint64_t *place) = 0;
  /// `made` has been made of `graph`, or has become like it.
  virtual void graph_made(CUgraphExec made, CUgraph graph) = 0;
  /// The node of the graph that `made` was made of is another launch in it now.
  virtual void graph_node_set(CUgraphExec made, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &now) = 0;
  virtual void graph_begins(CUgraphExec graph, CUstream stream, std::uint64_t *place) = 0;
  virtual void graph_ended(CUgraphExec graph, CUstream stream, std::uint64_t *place) = 0;
};

/// From now on all launches of the process are told, for as long as it lives.
Result<> subscribe(DriverListener &listener);

}  // namespace cupilot::watcher
