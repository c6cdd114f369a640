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
  auto *const stream = cupilot::emulate::runtime::find_stream(handle);
  if (!stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  if (!handle)
    return cupilot::emulate::runtime::abi::kStreamCaptureUnsupported;  // the default stream cannot be
                                                                       // captured
  if (stream->capture) return cupilot::emulate::runtime::abi::kStreamCaptureInvalidated;
  stream->capture = std::make_shared<cupilot::emulate::runtime::Graph>();
  stream->origin = true;
  return cupilot::emulate::runtime::abi::kSuccess;
}

int end(void *handle, void **graph) {
  auto *const stream = cupilot::emulate::runtime::find_stream(handle);
  if (!stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  if (!stream->capture || !stream->origin) return cupilot::emulate::runtime::abi::kStreamCaptureUnmatched;
  auto captured = stream->capture;
  cupilot::emulate::runtime::forget_capture(captured.get());
  *graph = cupilot::emulate::runtime::keep_graph(std::move(captured));
  return cupilot::emulate::runtime::abi::kSuccess;
}

int instantiate(void **executable, void *handle) {
  const auto graph = cupilot::emulate::runtime::find_graph(handle);
  if (!graph) return cupilot::emulate::runtime::abi::kInvalidValue;
  if (!graph->nodes.empty() && cupilot::emulate::runtime::in_order(*graph).empty())
    return cupilot::emulate::runtime::refuse(cupilot::emulate::runtime::abi::kInvalidValue,
                                             "the graph's dependencies form a cycle");
  *executable = cupilot::emulate::runtime::keep_graph(cupilot::emulate::runtime::clone(*graph));
  return cupilot::emulate::runtime::abi::kSuccess;
}

int launch(void *executable, void *stream) {
  const auto graph = cupilot::emulate::runtime::find_graph(executable);
  if (!graph) return cupilot::emulate::runtime::abi::kInvalidValue;
  return cupilot::emulate::runtime::submit(stream, cupilot::emulate::runtime::NodeKind::graph,
                                           [graph] { return cupilot::emulate::runtime::run_graph(*graph); });
}

int update(void *executable, void *handle) {
  const auto graph = cupilot::emulate::runtime::find_graph(handle);
  const auto old = cupilot::emulate::runtime::find_graph(executable);
  if (!graph || !old) return cupilot::emulate::runtime::abi::kInvalidValue;
  cupilot::emulate::runtime::replace_graph(executable, cupilot::emulate::runtime::clone(*graph));
  return cupilot::emulate::runtime::abi::kSuccess;
}

int status(void *handle, int *answer) {
  const auto *stream = cupilot::emulate::runtime::find_stream(handle);
  if (!stream) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  *answer = stream->capture ? kCapturing : kNotCapturing;
  return cupilot::emulate::runtime::abi::kSuccess;
}

}  // namespace

extern "C" {

int cudaStreamBeginCapture(void *stream, int) {
  return cupilot::emulate::runtime::call([&] { return begin(stream); });
}
CUPILOT_PER_THREAD(int, cudaStreamBeginCapture, _ptsz, void *, int);
int cudaStreamEndCapture(void *stream, void **graph) {
  return cupilot::emulate::runtime::call([&] { return end(stream, graph); });
}
CUPILOT_PER_THREAD(int, cudaStreamEndCapture, _ptsz, void *, void **);
int cudaStreamIsCapturing(void *stream, int *answer) {
  return cupilot::emulate::runtime::call([&] { return status(stream, answer); });
}
CUPILOT_PER_THREAD(int, cudaStreamIsCapturing, _ptsz, void *, int *);
int cudaThreadExchangeStreamCaptureMode(int *mode) {
  static int current = 0;
  return cupilot::emulate::runtime::call([&] {
    std::swap(*mode, current);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaGraphInstantiate(void **executable, void *graph, unsigned long long) {
  return cupilot::emulate::runtime::call([&] { return instantiate(executable, graph); });
}
int cudaGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  return cupilot::emulate::runtime::call([&] { return instantiate(executable, graph); });
}
int cudaGraphLaunch(void *executable, void *stream) {
  return cupilot::emulate::runtime::call([&] { return launch(executable, stream); });
}
CUPILOT_PER_THREAD(int, cudaGraphLaunch, _ptsz, void *, void *);
int cudaGraphUpload(void *executable, void *) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::find_graph(executable) ? cupilot::emulate::runtime::abi::kSuccess
                                                             : cupilot::emulate::runtime::abi::kInvalidValue;
  });
}
CUPILOT_PER_THREAD(int, cudaGraphUpload, _ptsz, void *, void *);
int cudaGraphExecUpdate(void *executable, void *graph, void *) {
  return cupilot::emulate::runtime::call([&] { return update(executable, graph); });
}
int cudaGraphExecDestroy(void *executable) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::drop_graph(executable) ? cupilot::emulate::runtime::abi::kSuccess
                                                             : cupilot::emulate::runtime::abi::kInvalidValue;
  });
}
int cudaGraphDestroy(void *graph) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::drop_graph(graph) ? cupilot::emulate::runtime::abi::kSuccess
                                                        : cupilot::emulate::runtime::abi::kInvalidValue;
  });
}

}  // extern "C"
