// SPDX-License-Identifier: Apache-2.0
//
// libcupilot-watcher.so: the CUDA driver loads it when the program makes its first call
// (CUDA_INJECTION64_PATH). Nothing that goes wrong here reaches the program: it is watched no more.

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <utility>

#include "driver/watcher/cuda_driver.h"
#include "driver/watcher/cupti_callbacks.h"
#include "evolution/capture/watcher.h"

namespace cupilot::watcher {
namespace {

/// What a launch that is looked at keeps from its begin to its end.
struct Looked {
  capture::SeenLaunch seen;
  CUevent begin = nullptr, end = nullptr;
};

class ProcessWatch {
public:
  ProcessWatch(std::unique_ptr<capture::Watcher> watcher, const CudaDriver &driver)
      : watcher_(std::move(watcher)), driver_(driver) {}

  void begins(const DriverLaunch &launch, std::uint64_t *place) {
    const auto *const kernel = launch.arguments ? watcher_->find(launch.symbol) : nullptr;
    if (!kernel) return;
    capture::Call call{kernel, launch.grid, launch.block, launch.shared_bytes, {}};
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const spec::Parameter &parameter = kernel->parameters[i];
      call.arguments.emplace_back(static_cast<const std::byte *>(launch.arguments[i]),
                                  parameter.pointer ? sizeof(void *) : parameter.element_bytes);
    }
    CUstreamCaptureStatus capturing = CU_STREAM_CAPTURE_STATUS_NONE;
    const bool runs = driver_.stream_is_capturing(launch.stream, &capturing) == CUDA_SUCCESS &&
                      capturing == CU_STREAM_CAPTURE_STATUS_NONE;
    const auto shape = watcher_->count(call, runs);
    if (!shape) return;
    const RelaxedCapture relaxed(driver_);
    if (!driver_.wait(launch.stream)) return;
    auto looked = std::make_unique<Looked>();
    DriverMemory memory(driver_);
    looked->seen = watcher_->before(call, *shape, memory).seen;
    driver_.event_create(&looked->begin, CU_EVENT_DEFAULT);
    driver_.event_create(&looked->end, CU_EVENT_DEFAULT);
    driver_.event_record(looked->begin, launch.stream);
    *place = reinterpret_cast<std::uint64_t>(looked.release());
  }

  void ended(const DriverLaunch &launch, std::uint64_t *place) {
    if (*place == 0) return;
    const std::unique_ptr<Looked> looked(reinterpret_cast<Looked *>(std::exchange(*place, 0)));
    const RelaxedCapture relaxed(driver_);
    driver_.event_record(looked->end, launch.stream);
    const bool ran = driver_.wait(launch.stream);
    float milliseconds = 0;
    driver_.event_elapsed(&milliseconds, looked->begin, looked->end);
    driver_.event_destroy(looked->begin);
    driver_.event_destroy(looked->end);
    if (ran) watcher_->after(looked->seen, 1e3 * static_cast<double>(milliseconds));
  }

private:
  std::unique_ptr<capture::Watcher> watcher_;
  CudaDriver driver_;
};

std::atomic<ProcessWatch *> process_watch = nullptr;  // never deleted: launches come until the very end

template <class Work>
void guarded(Work work) {
  ProcessWatch *const watch = process_watch;
  if (!watch) return;
  try {
    work(*watch);
  } catch (const std::exception &trouble) {
    process_watch = nullptr;
    std::fprintf(stderr, "cupilot: error: no more launches are captured: %s\n", trouble.what());
  }
}

void watch_process() {
  auto watcher = capture::Watcher::from_environment();
  if (!watcher) return;
  const auto driver = CudaDriver::load();
  auto watched = driver ? subscribe({[](const DriverLaunch &launch, std::uint64_t *place) {
                                       guarded([&](ProcessWatch &watch) { watch.begins(launch, place); });
                                     },
                                     [](const DriverLaunch &launch, std::uint64_t *place) {
                                       guarded([&](ProcessWatch &watch) { watch.ended(launch, place); });
                                     }})
                        : Result<>(std::unexpected(driver.error()));
  if (!watched)
    return (void)std::fprintf(stderr, "cupilot: error: nothing is captured: %s\n",
                              watched.error().message.c_str());
  process_watch = new ProcessWatch(std::move(watcher), *driver);
}

}  // namespace
}  // namespace cupilot::watcher

/// Called by the CUDA driver.
extern "C" int InitializeInjection() {
  cupilot::watcher::watch_process();
  return 1;
}
