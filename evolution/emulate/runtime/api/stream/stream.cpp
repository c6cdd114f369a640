// SPDX-License-Identifier: Apache-2.0
//
// Handles of streams and events, capture, and running a graph.

#include "evolution/emulate/runtime/api/stream/stream.h"

#include <map>

namespace cupilot::emulate::runtime {
namespace {

template <class T>
class Handles {
public:
  T *add(std::unique_ptr<T> one) {
    auto *const pointer = one.get();
    all_[pointer] = std::move(one);
    return pointer;
  }
  T *find(const void *handle) const {
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second.get();
  }
  bool erase(const void *handle) { return all_.erase(handle) > 0; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  std::map<const void *, std::unique_ptr<T>> all_;
};

// Both outlive the program's own destructors.
Handles<Stream> &streams() {
  static auto &all = *new Handles<Stream>;
  return all;
}
Handles<Event> &events() {
  static auto &all = *new Handles<Event>;
  return all;
}
Stream &default_stream() {
  static auto &stream = *new Stream;
  return stream;
}

constexpr std::uintptr_t kPerThreadStream = 2;  ///< 0: default, 1: legacy

bool visit(const Node *node, std::vector<int> &state, std::vector<const Node *> &order) {
  if (state[node->index] == 2) return true;
  if (state[node->index] == 1) return false;
  state[node->index] = 1;
  for (const auto *before : node->after)
    if (!visit(before, state, order)) return false;
  state[node->index] = 2;
  order.push_back(node);
  return true;
}

}  // namespace

Node *Graph::add(NodeKind kind, std::function<int()> run, std::vector<Node *> after) {
  auto node = std::make_unique<Node>();
  node->kind = kind;
  node->run = std::move(run);
  node->after = std::move(after);
  node->graph = this;
  node->index = nodes.size();
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

std::unique_ptr<Graph> clone(const Graph &graph) {
  auto copy = std::make_unique<Graph>();
  for (const auto &node : graph.nodes) {
    auto *const made = copy->add(node->kind, node->run, {});
    made->enabled = node->enabled;
    made->parameters = node->parameters;
  }
  for (const auto &node : graph.nodes)
    for (const auto *before : node->after)
      copy->nodes[node->index]->after.push_back(copy->nodes[before->index].get());
  return copy;
}

std::vector<const Node *> in_order(const Graph &graph) {
  std::vector<int> state(graph.nodes.size());
  std::vector<const Node *> order;
  for (const auto &node : graph.nodes)
    if (!visit(node.get(), state, order)) return {};
  return order;
}

int run_graph(const Graph &graph) {
  for (const auto *node : in_order(graph)) {
    if (!node->enabled || !node->run) continue;
    if (const int code = node->run()) return code;
  }
  return abi::kSuccess;
}

Stream *find_stream(const void *handle) {
  if (reinterpret_cast<std::uintptr_t>(handle) <= kPerThreadStream) return &default_stream();
  return streams().find(handle);
}

Stream *make_stream(unsigned flags, int priority) {
  static std::uint64_t last_id = 0;
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->id = ++last_id;
  return streams().add(std::move(stream));
}

bool destroy_stream(void *handle) {
  return streams().erase(handle);
}

void forget_capture(const Graph *graph) {
  const auto stop = [&](Stream &stream) {
    if (stream.capture.get() != graph) return;
    stream.capture.reset();
    stream.tail.clear();
    stream.origin = false;
  };
  for (const auto &[handle, stream] : streams()) stop(*stream);
  for (const auto &[handle, event] : events())
    if (event->capture.get() == graph) event->capture.reset();
}

Event *find_event(const void *handle) {
  return events().find(handle);
}

Event *make_event(unsigned flags) {
  auto event = std::make_unique<Event>();
  event->flags = flags;
  return events().add(std::move(event));
}

bool destroy_event(void *handle) {
  return events().erase(handle);
}

int submit(void *stream_handle, NodeKind kind, std::function<int()> work) {
  auto *const stream = find_stream(stream_handle);
  if (!stream) return abi::kInvalidResourceHandle;
  if (!stream->capture) return work();
  stream->tail = {stream->capture->add(kind, std::move(work), stream->tail)};
  return abi::kSuccess;
}

}  // namespace cupilot::emulate::runtime
