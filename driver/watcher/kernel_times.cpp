// SPDX-License-Identifier: Apache-2.0

#include "driver/watcher/kernel_times.h"

#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "driver/watcher/cupti_library.h"

namespace cupilot::watcher {
namespace {

constexpr std::size_t kBufferBytes = 1u << 20;

struct Activity {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next = nullptr;
};

struct Ended {
  std::uint64_t at = 0;
  TimedKernel kernel;
};

Activity activity;  ///< set once, before any buffer is asked for
std::mutex ended_mutex;
std::vector<Ended> ended;

void CUPTIAPI buffer_wanted(std::uint8_t **buffer, std::size_t *bytes, std::size_t *most_records) {
  *bytes = kBufferBytes;
  *buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, kBufferBytes));
  *most_records = 0;
}

/// The beginning of the record, as far as it is read here, is the same in all versions from CUDA 9 on.
void CUPTIAPI buffer_full(CUcontext, std::uint32_t, std::uint8_t *buffer, std::size_t, std::size_t valid) {
  const std::lock_guard lock(ended_mutex);
  CUpti_Activity *record = nullptr;
  while (activity.next(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    const auto &one = *reinterpret_cast<const CUpti_ActivityKernel5 *>(record);
    const auto size = [](std::int32_t x, std::int32_t y, std::int32_t z) {
      return std::array{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                        static_cast<std::uint32_t>(z)};
    };
    ended.push_back(
        {one.end,
         {one.name ? one.name : "", size(one.gridX, one.gridY, one.gridZ),
          size(one.blockX, one.blockY, one.blockZ), static_cast<double>(one.end - one.start) / 1e3}});
  }
  std::free(buffer);
}

bool find_activity() {
  const auto cupti = CuptiLibrary::load();
  return cupti && cupti->find("cuptiActivityRegisterCallbacks", activity.register_callbacks) &&
         cupti->find("cuptiActivityEnable", activity.enable) &&
         cupti->find("cuptiActivityDisable", activity.disable) &&
         cupti->find("cuptiActivityFlushAll", activity.flush) &&
         cupti->find("cuptiActivityGetNextRecord", activity.next);
}

}  // namespace

bool begin_kernel_times() {
  static const bool can =
      find_activity() && activity.register_callbacks(buffer_wanted, buffer_full) == CUPTI_SUCCESS;
  return can && activity.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) == CUPTI_SUCCESS;
}

std::vector<TimedKernel> end_kernel_times() {
  (void)activity.flush(0);
  (void)activity.disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  const std::lock_guard lock(ended_mutex);
  std::ranges::sort(ended, {}, &Ended::at);
  std::vector<TimedKernel> kernels;
  for (Ended &one : std::exchange(ended, {})) kernels.push_back(std::move(one.kernel));
  return kernels;
}

}  // namespace cupilot::watcher
