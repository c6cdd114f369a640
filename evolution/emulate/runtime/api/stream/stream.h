// SPDX-License-Identifier: Apache-2.0
//
// Streams, events and graphs. Work is done when it is asked for, in the caller's thread. A stream only
// matters while it is captured: then its work becomes nodes of a graph.

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
  std::size_t index = 0;  ///< in its graph: finds the node again in a clone or an executable graph
  bool enabled = true;
  std::shared_ptr<void> parameters;  ///< what cudaGraphKernelNodeGetParams and its kin answer
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes;
  Node *add(NodeKind kind, std::function<int()> run, std::vector<Node *> after);
};
/// The same nodes in another graph.
std::unique_ptr<Graph> clone(const Graph &graph);
/// Nodes in an order that respects `after`; empty for a circle.
std::vector<const Node *> in_order(const Graph &graph);
int run_graph(const Graph &graph);

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t id = 0;
  std::shared_ptr<Graph> capture;  ///< not capturing: nullptr
  bool origin = false;             ///< capture began here
  std::vector<Node *> tail;        ///< what the next captured node comes after
};

struct Event {
  std::chrono::steady_clock::time_point time;
  bool recorded = false;
  unsigned flags = 0;
  std::shared_ptr<Graph> capture;  ///< recorded in a capturing stream
  std::vector<Node *> tail;
};

/// nullptr for a handle nobody made. The default streams (0, 1, 2) are one.
Stream *find_stream(const void *handle);
Stream *make_stream(unsigned flags, int priority);
bool destroy_stream(void *handle);
void forget_capture(const Graph *graph);  ///< all streams that took part stop capturing

Event *find_event(const void *handle);
Event *make_event(unsigned flags);
bool destroy_event(void *handle);

/// Runs it, or captures it. The caller holds the call mutex.
int submit(void *stream, NodeKind kind, std::function<int()> work);

}  // namespace cupilot::emulate::runtime
