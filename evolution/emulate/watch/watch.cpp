// SPDX-License-Identifier: Apache-2.0

#include "evolution/emulate/watch/watch.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>

#include "evolution/capture/watcher.h"
#include "evolution/emulate/runtime/device.h"
#include "evolution/emulate/watch/accesses.h"

namespace cupilot::emulate::watch {
namespace {

class EmulatedMemory final : public capture::WatchedMemory {
public:
  explicit EmulatedMemory(memory::Memory &memory) : memory_(memory) {}
  std::optional<Allocation> allocation(std::uint64_t address) override {
    const auto *found = memory_.find(address);
    if (!found) return std::nullopt;
    return Allocation{found->address, found->bytes};
  }
  bool read(std::uint64_t address, std::span<std::byte> into) override {
    std::memcpy(into.data(), reinterpret_cast<const void *>(address), into.size());
    return true;
  }

private:
  memory::Memory &memory_;
};

/// Nothing that goes wrong here reaches the program: it is watched no more.
class DeviceWatch {
public:
  DeviceWatch(std::unique_ptr<capture::Watcher> watcher, runtime::Device &device)
      : watcher_(std::move(watcher)), memory_(device.memory()) {}

  void begin(const runtime::LaunchSeen &launch, machine::LaunchOptions &options) {
    guarded([&] {
      const auto call = call_of(launch);
      if (!call) return;
      const auto shape = watcher_->count(*call);
      if (!shape) return;
      look_ = watcher_->before(*call, *shape, memory_);
      accesses_.emplace(look_->seen.buffers, look_->addresses);
      options.observer = &*accesses_;
    });
  }

  void end(const machine::LaunchResult &result) {
    guarded([&] {
      if (!look_) return;
      accesses_->write(look_->seen.buffers);
      if (result.completed) watcher_->after(look_->seen, static_cast<double>(result.warp_instructions));
      accesses_.reset();
      look_.reset();
    });
  }

private:
  std::optional<capture::Call> call_of(const runtime::LaunchSeen &launch) {
    const auto *const kernel = watcher_->find(launch.kernel);
    const auto &code = launch.program->program->functions[launch.request.function];
    if (!kernel) return std::nullopt;
    // A kernel that is not listed has no parameters here.
    const bool listed = !kernel->parameters.empty();
    if (listed && code.parameters.size() != kernel->parameters.size()) return std::nullopt;
    capture::Call call{
        kernel, launch.request.grid, launch.request.block, launch.request.dynamic_shared_bytes, {}};
    for (const auto &place : std::span(code.parameters).first(kernel->parameters.size()))
      call.arguments.push_back(launch.request.parameters.subspan(place.offset, place.bytes));
    return call;
  }

  template <class Work>
  void guarded(Work work) {
    if (!watcher_) return;
    try {
      work();
    } catch (const std::exception &trouble) {
      std::fprintf(stderr, "cupilot: error: no more launches are captured: %s\n", trouble.what());
      watcher_.reset();
    }
  }

  std::unique_ptr<capture::Watcher> watcher_;
  EmulatedMemory memory_;
  std::optional<capture::Look> look_;
  std::optional<Accesses> accesses_;
};

/// Lives as long as the process: programs launch kernels in destructors, too.
void watch(runtime::Device &device) {
  auto watcher = capture::Watcher::from_environment();
  if (!watcher) return;
  auto &watched = *new DeviceWatch(std::move(watcher), device);
  device.before_launch = [&](const runtime::LaunchSeen &launch, machine::LaunchOptions &options) {
    watched.begin(launch, options);
    return true;
  };
  device.after_launch = [&](const runtime::LaunchSeen &, const machine::LaunchResult &result) {
    watched.end(result);
  };
}

}  // namespace

void watch_launches() {
  runtime::when_device_is_made(&watch);
}

}  // namespace cupilot::emulate::watch
