// SPDX-License-Identifier: Apache-2.0
//
// The one device: counting, choosing, asking, waiting, limits. There is no peer.

#include <array>
#include <cstdio>
#include <cstring>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/allocations.h"
#include "evolution/emulate/runtime/api/properties/properties.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

constexpr int kVersion = 13000;  ///< of the runtime and the driver we stand in for
/// cudaLimit; only the heap's size has an effect, the others are remembered.
enum Limit : int {
  kLimitStackSize,
  kLimitPrintfFifoSize,
  kLimitMallocHeapSize,
  kLimitDevRuntimeSyncDepth,
  kLimitDevRuntimePendingLaunchCount,
  kLimitMaxL2FetchGranularity,
  kLimitPersistingL2CacheSize,
  kLimits
};
std::array<std::size_t, kLimits> limits{1024, 1 << 20, 8 << 20, 2, 2048, 128, 0};

constexpr int kSharedBanksOf4Bytes = 1;  ///< cudaSharedMemBankSizeFourByte

const cupilot::emulate::runtime::DeviceModel &model() {
  return cupilot::emulate::runtime::current_device().model();
}

int on_device(int device) {
  return device == 0 ? cupilot::emulate::runtime::abi::kSuccess
                     : cupilot::emulate::runtime::abi::kInvalidDevice;
}

int properties_of(std::byte *to, int device, cupilot::emulate::runtime::PropertiesLayout layout) {
  if (const int code = on_device(device)) return code;
  cupilot::emulate::runtime::write_properties(
      model(), cupilot::emulate::runtime::current_device().memory().capacity(), layout, to);
  return cupilot::emulate::runtime::abi::kSuccess;
}

int fine() {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}

}  // namespace

extern "C" {

int cudaGetDeviceCount(int *count) {
  *count = 1;
  return fine();
}
int cudaGetDevice(int *device) {
  *device = 0;
  return fine();
}
int cudaSetDevice(int device) {
  return cupilot::emulate::runtime::call([&] { return on_device(device); });
}
int cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}
int cudaSetValidDevices(int *, int) {
  return fine();
}
int cudaChooseDevice(int *device, const void *) {
  return cudaGetDevice(device);
}
int cudaSetDeviceFlags(unsigned) {
  return fine();
}
int cudaGetDeviceFlags(unsigned *flags) {
  *flags = 0;
  return fine();
}

int cudaGetDeviceProperties(std::byte *to, int device) {
  return cupilot::emulate::runtime::call(
      [&] { return properties_of(to, device, cupilot::emulate::runtime::PropertiesLayout::cuda_13); });
}
int cudaGetDeviceProperties_v2(std::byte *to, int device) {
  return cupilot::emulate::runtime::call(
      [&] { return properties_of(to, device, cupilot::emulate::runtime::PropertiesLayout::cuda_12); });
}
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (const int code = on_device(device)) return code;
    const auto found = cupilot::emulate::runtime::device_attribute(model(), attribute);
    if (!found) return cupilot::emulate::runtime::abi::kInvalidValue;
    *value = *found;
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaDeviceSynchronize() {
  return fine();
}
int cudaThreadSynchronize() {
  return fine();
}
int cudaDeviceReset() {
  const std::lock_guard lock(cupilot::emulate::runtime::call_mutex());
  cupilot::emulate::runtime::set_sticky_error(cupilot::emulate::runtime::abi::kSuccess);
  cupilot::emulate::runtime::clear_last_error();
  cupilot::emulate::runtime::release_all();
  return cupilot::emulate::runtime::abi::kSuccess;
}
int cudaThreadExit() {
  return cudaDeviceReset();
}

int cudaDeviceSetLimit(int limit, std::size_t value) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (limit < 0 || static_cast<std::size_t>(limit) >= limits.size())
      return cupilot::emulate::runtime::abi::kUnsupportedLimit;
    limits[limit] = value;
    if (limit == kLimitMallocHeapSize)
      cupilot::emulate::runtime::current_device().options().launch.heap_bytes = value;
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaDeviceGetLimit(std::size_t *value, int limit) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (limit < 0 || static_cast<std::size_t>(limit) >= limits.size())
      return cupilot::emulate::runtime::abi::kUnsupportedLimit;
    *value = limits[limit];
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaDriverGetVersion(int *version) {
  *version = kVersion;
  return cupilot::emulate::runtime::abi::kSuccess;
}
int cudaRuntimeGetVersion(int *version) {
  return cudaDriverGetVersion(version);
}

int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = cupilot::emulate::runtime::kHighestPriority;
  return fine();
}
int cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  return cupilot::emulate::runtime::call([&]() -> int {
    if (bytes > 0) std::snprintf(text, bytes, "0000:00:00.0");
    return on_device(device);
  });
}
int cudaDeviceGetByPCIBusId(int *device, const char *) {
  return cudaGetDevice(device);
}

int cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 0;
  return fine();
}
int cudaDeviceEnablePeerAccess(int, unsigned) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kInvalidDevice; });
}
int cudaDeviceDisablePeerAccess(int) {
  return cupilot::emulate::runtime::call(
      [] { return cupilot::emulate::runtime::abi::kPeerAccessNotEnabled; });
}

// preferences without an effect on results
int cudaDeviceSetCacheConfig(int) {
  return fine();
}
int cudaDeviceGetCacheConfig(int *config) {
  *config = 0;
  return fine();
}
int cudaDeviceSetSharedMemConfig(int) {
  return fine();
}
int cudaDeviceGetSharedMemConfig(int *config) {
  *config = kSharedBanksOf4Bytes;
  return fine();
}
int cudaCtxResetPersistingL2Cache() {
  return fine();
}
int cudaProfilerStart() {
  return fine();
}
int cudaProfilerStop() {
  return fine();
}
int cudaDeviceFlushGPUDirectRDMAWrites(int, int) {
  return fine();
}

}  // extern "C"
