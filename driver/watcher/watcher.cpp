// SPDX-License-Identifier: Apache-2.0
//
// libcupilot-watcher.so: the CUDA driver loads it when the program makes its first call
// (CUDA_INJECTION64_PATH). Nothing that goes wrong here reaches the program: it is watched no more.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "driver/watcher/cuda_driver.h"
#include "driver/watcher/cupti_callbacks.h"
#include "driver/watcher/graph_kernels.h"
#include "driver/watcher/kernel_times.h"
#include "evolution/capture/watcher.h"

namespace cupilot::watcher {
namespace {

/// What a launch that is looked at keeps from its begin to its end.
struct Looked {
  capture::SeenLaunch seen;
  CUevent begin = nullptr, end = nullptr;
};

/// The kernels of a graph that are looked at while it runs once.
struct LookedGraph {
  struct Kernel {
    GraphKernel launch;
    capture::SeenLaunch seen;
  };
  std::vector<Kernel> kernels;
};

template <class Kept>
std::unique_ptr<Kept> taken(std::uint64_t *place) {
  return std::unique_ptr<Kept>(reinterpret_cast<Kept *>(std::exchange(*place, 0)));
}
template <class Kept>
void keep(std::unique_ptr<Kept> kept, std::uint64_t *place) {
  *place = reinterpret_cast<std::uint64_t>(kept.release());
}

class ProcessWatch final : public DriverListener {
public:
  ProcessWatch(std::unique_ptr<capture::Watcher> watcher, const CudaDriver &driver)
      : watcher_(std::move(watcher)), driver_(driver), graphs_(driver_, *watcher_) {}

  void launch_begins(const DriverLaunch &launch, std::uint64_t *place) override {
    const auto *const kernel = launch.arguments ? watcher_->find(launch.symbol) : nullptr;
    if (!kernel || is_recorded(launch.stream)) return;
    const auto arguments = arguments_of(*kernel, launch.arguments);
    const capture::Call call{
        kernel, launch.grid, launch.block, launch.shared_bytes, {arguments.begin(), arguments.end()}};
    const auto shape = watcher_->count(call);
    if (!shape) return;
    const RelaxedCapture relaxed(driver_);
    if (!driver_.wait(launch.stream)) return;
    auto looked = std::make_unique<Looked>();
    DriverMemory memory(driver_);
    looked->seen = watcher_->before(call, *shape, memory).seen;
    driver_.event_create(&looked->begin, CU_EVENT_DEFAULT);
    driver_.event_create(&looked->end, CU_EVENT_DEFAULT);
    driver_.event_record(looked->begin, launch.stream);
    keep(std::move(looked), place);
  }

  void launch_ended(const DriverLaunch &launch, std::uint64_t *place) override {
    const auto looked = taken<Looked>(place);
    if (!looked) return;
    const RelaxedCapture relaxed(driver_);
    driver_.event_record(looked->end, launch.stream);
    const bool ran = driver_.wait(launch.stream);
    float milliseconds = 0;
    driver_.event_elapsed(&milliseconds, looked->begin, looked->end);
    driver_.event_destroy(looked->begin);
    driver_.event_destroy(looked->end);
    if (ran) watcher_->after(looked->seen, 1e3 * static_cast<double>(milliseconds));
  }

  void graph_made(CUgraphExec made, CUgraph graph) override { graphs_.made(made, graph); }
  void graph_node_set(CUgraphExec made, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS &now) override {
    graphs_.node_set(made, node, now);
  }

  /// Buffers are read before the whole graph runs: what a kernel of it reads may be written by one before it.
  void graph_begins(CUgraphExec graph, CUstream stream, std::uint64_t *place) override {
    if (is_recorded(stream)) return;
    std::vector<std::pair<GraphKernel, std::uint64_t>> wanted;
    for (GraphKernel &one : graphs_.of(graph))
      if (const auto shape = watcher_->count(one.call())) wanted.emplace_back(std::move(one), *shape);
    if (wanted.empty()) return;
    const RelaxedCapture relaxed(driver_);
    if (!driver_.wait(stream) || !begin_kernel_times()) return;
    auto looked = std::make_unique<LookedGraph>();
    DriverMemory memory(driver_);
    for (auto &[launch, shape] : wanted) {
      auto seen = watcher_->before(launch.call(), shape, memory).seen;
      looked->kernels.push_back({std::move(launch), std::move(seen)});
    }
    keep(std::move(looked), place);
  }

  void graph_ended(CUgraphExec, CUstream stream, std::uint64_t *place) override {
    const auto looked = taken<LookedGraph>(place);
    if (!looked) return;
    const RelaxedCapture relaxed(driver_);
    const bool ran = driver_.wait(stream);
    auto times = end_kernel_times();
    if (!ran) return;
    for (auto &[launch, seen] : looked->kernels) {
      const auto time = std::ranges::find_if(times, [&](const TimedKernel &one) {
        return one.symbol == launch.symbol && one.grid == launch.grid && one.block == launch.block;
      });
      if (time == times.end()) continue;
      watcher_->after(seen, time->us);
      times.erase(time);
    }
  }

private:
  /// Then nothing runs: what is recorded for a graph counts when the graph does.
  bool is_recorded(CUstream stream) const {
    CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
    return driver_.stream_is_capturing(stream, &capturing) != CUDA_SUCCESS ||
           capturing != CU_STREAM_CAPTURE_STATUS_NONE;
  }

  std::unique_ptr<capture::Watcher> watcher_;
  CudaDriver driver_;
  GraphKernels graphs_;
};

void watch_process() {
  auto watcher = capture::Watcher::from_environment();
  if (!watcher) return;
  const auto driver = CudaDriver::load();
  // Never deleted: launches come until the very end.
  const auto watched = driver ? subscribe(*new ProcessWatch(std::move(watcher), *driver))
                              : Result<>(std::unexpected(driver.error()));
  if (!watched)
    std::fprintf(stderr, "cupilot: error: nothing is captured: %s\n", watched.error().message.c_str());
}

}  // namespace
}  // namespace cupilot::watcher

/// Called by the CUDA driver.
extern "C" int InitializeInjection() {
  cupilot::watcher::watch_process();
  return 1;
}
