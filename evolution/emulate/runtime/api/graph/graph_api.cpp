// SPDX-License-Identifier: Apache-2.0
//
// Stream capture, instantiation and launch of graphs. An executable graph is a copy.

#include <map>
#include <memory>
#include <utility>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/graph/graphs.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

enum CaptureStatus : int { kNotCapturing = 0, kCapturing = 1 };

int begin(void *handle) {
  auto *const stream = find_stream(handle);
  if (!stream) return abi::kInvalidResourceHandle;
  if (!handle) return abi::kStreamCaptureUnsupported;  // the default stream cannot be captured
  if (stream->capture) return abi::kStreamCaptureInvalidated;
  stream->capture = std::make_shared<Graph>();
  stream->origin = true;
  return abi::kSuccess;
}

int end(void *handle, void **graph) {
  auto *const stream = find_stream(handle);
  if (!stream) return abi::kInvalidResourceHandle;
  if (!stream->capture || !stream->origin) return abi::kStreamCaptureUnmatched;
  auto captured = stream->capture;
  forget_capture(captured.get());
  *graph = keep_graph(std::move(captured));
  return abi::kSuccess;
}

int instantiate(void **executable, void *handle) {
  const auto graph = find_graph(handle);
  if (!graph) return abi::kInvalidValue;
  if (!graph->nodes.empty() && in_order(*graph).empty())
    return refuse(abi::kInvalidValue, "the graph's dependencies form a cycle");
  *executable = keep_graph(clone(*graph));
  return abi::kSuccess;
}

int launch(void *executable, void *stream) {
  const auto graph = find_graph(executable);
  if (!graph) return abi::kInvalidValue;
  return submit(stream, NodeKind::graph, [graph] { return run_graph(*graph); });
}

int update(void *executable, void *handle) {
  const auto graph = find_graph(handle);
  const auto old = find_graph(executable);
  if (!graph || !old) return abi::kInvalidValue;
  replace_graph(executable, clone(*graph));
  return abi::kSuccess;
}

int status(void *handle, int *answer) {
  const auto *stream = find_stream(handle);
  if (!stream) return abi::kInvalidResourceHandle;
  *answer = stream->capture ? kCapturing : kNotCapturing;
  return abi::kSuccess;
}

}  // namespace

extern "C" {

int cudaStreamBeginCapture(void *stream, int) {
  return call([&] { return begin(stream); });
}
CUPILOT_PER_THREAD(int, cudaStreamBeginCapture, _ptsz, void *, int);
int cudaStreamEndCapture(void *stream, void **graph) {
  return call([&] { return end(stream, graph); });
}
CUPILOT_PER_THREAD(int, cudaStreamEndCapture, _ptsz, void *, void **);
int cudaStreamIsCapturing(void *stream, int *answer) {
  return call([&] { return status(stream, answer); });
}
CUPILOT_PER_THREAD(int, cudaStreamIsCapturing, _ptsz, void *, int *);
int cudaThreadExchangeStreamCaptureMode(int *mode) {
  static int current = 0;
  return call([&] {
    std::swap(*mode, current);
    return abi::kSuccess;
  });
}

int cudaGraphInstantiate(void **executable, void *graph, unsigned long long) {
  return call([&] { return instantiate(executable, graph); });
}
int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  return call([&] { return instantiate(executable, graph); });
}
int cudaGraphLaunch(void *executable, void *stream) {
  return call([&] { return launch(executable, stream); });
}
CUPILOT_PER_THREAD(int, cudaGraphLaunch, _ptsz, void *, void *);
int cudaGraphUpload(void *executable, void *) {
  return call([&] { return find_graph(executable) ? abi::kSuccess : abi::kInvalidValue; });
}
CUPILOT_PER_THREAD(int, cudaGraphUpload, _ptsz, void *, void *);
int cudaGraphExecUpdate(void *executable, void *graph, void *) {
  return call([&] { return update(executable, graph); });
}
int cudaGraphExecDestroy(void *executable) {
  return call([&] { return drop_graph(executable) ? abi::kSuccess : abi::kInvalidValue; });
}
int cudaGraphDestroy(void *graph) {
  return call([&] { return drop_graph(graph) ? abi::kSuccess : abi::kInvalidValue; });
}

}  // extern "C"
