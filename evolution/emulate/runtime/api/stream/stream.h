// SPDX-License-Identifier: Apache-2.0
//
// Streams, events and graphs. Work runs synchronously in the caller's thread. Streams only matter during
// capture, when their work becomes nodes of a graph.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "evolution/emulate/runtime/api/abi.h"

namespace cupilot::emulate::runtime {

inline constexpr int kHighestPriority = -5;  ///< of streams; 0 is the lowest

/// cudaGraphNodeType
enum class NodeKind : int {
  kernel = 0,
  memcpy = 1,
  memset = 2,
  host = 3,
  graph = 4,
  empty = 5,
  wait = 6,
  record = 7
};

struct Graph;
struct Node {
  NodeKind kind = NodeKind::empty;
  std::function<int()> run;  ///< owns copies of all it needs; empty: nothing to do
  std::vector<Node *> after;
  Graph *graph = nullptr;
  std::size_t index = 0;  ///< index in its graph; identifies the node in a clone or an executable graph
  bool enabled = true;
  std::shared_ptr<void> parameters;  ///< returned by cudaGraphKernelNodeGetParams and similar
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  Node *add(NodeKind kind, std::function<int()> run, std::vector<Node *> after);
};
/// The same nodes in another graph.
std::unique_ptr<Graph> clone(const Graph &graph);
/// The nodes in topological order (by `after`); empty if there is a cycle.
std::vector<const Node *> in_order(const Graph &graph);
int run_graph(const Graph &graph);

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  std::shared_ptr<Graph> capture;  ///< not capturing: nullptr
  bool origin = false;             ///< capture began here
  std::vector<Node *> tail;        ///< the nodes that the next captured node depends on
};

struct Event {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
  unsigned flags = 0;
  std::shared_ptr<Graph> capture;  ///< recorded in a capturing stream
  std::vector<Node *> tail;
};

/// nullptr for an unknown handle. The default streams (0, 1, 2) are the same stream.
Stream *find_stream(const void *handle);
Stream *make_stream(unsigned flags, int priority);
bool destroy_stream(void *handle);
void forget_capture(const Graph *graph);  ///< all streams that took part stop capturing

Event *find_event(const void *handle);
Event *make_event(unsigned flags);
bool destroy_event(void *handle);

/// Runs the work, or captures it. The caller holds the call mutex.
int submit(void *stream, NodeKind kind, std::function<int()> work);

}  // namespace cupilot::emulate::runtime
