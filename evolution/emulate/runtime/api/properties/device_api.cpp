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

const DeviceModel &model() {
  return current_device().model();
}

int on_device(int device) {
  return device == 0 ? abi::kSuccess : abi::kInvalidDevice;
}

int properties_of(std::byte *to, int device, PropertiesLayout layout) {
  if (const int code = on_device(device)) return code;
  write_properties(model(), current_device().memory().capacity(), layout, to);
  return abi::kSuccess;
}

int fine() {
  return call([] { return abi::kSuccess; });
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
  return call([&] { return on_device(device); });
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
  return call([&] { return properties_of(to, device, PropertiesLayout::cuda_13); });
}
int cudaGetDeviceProperties_v2(std::byte *to, int device) {
  return call([&] { return properties_of(to, device, PropertiesLayout::cuda_12); });
}
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  return call([&]() -> int {
    if (const int code = on_device(device)) return code;
    const auto found = device_attribute(model(), attribute);
    if (!found) return abi::kInvalidValue;
    *value = *found;
    return abi::kSuccess;
  });
}

int cudaDeviceSynchronize() {
  return fine();
}
int cudaThreadSynchronize() {
  return fine();
}
int cudaDeviceReset() {
  const std::lock_guard lock(call_mutex());
  set_sticky_error(abi::kSuccess);
  clear_last_error();
  release_all();
  return abi::kSuccess;
}
int cudaThreadExit() {
  return cudaDeviceReset();
}

int cudaDeviceSetLimit(int limit, std::size_t value) {
  return call([&]() -> int {
    if (limit < 0 || static_cast<std::size_t>(limit) >= limits.size()) return abi::kUnsupportedLimit;
    limits[limit] = value;
    if (limit == kLimitMallocHeapSize) current_device().options().launch.heap_bytes = value;
    return abi::kSuccess;
  });
}
int cudaDeviceGetLimit(std::size_t *value, int limit) {
  return call([&]() -> int {
    if (limit < 0 || static_cast<std::size_t>(limit) >= limits.size()) return abi::kUnsupportedLimit;
    *value = limits[limit];
    return abi::kSuccess;
  });
}

int cudaDriverGetVersion(int *version) {
  *version = kVersion;
  return abi::kSuccess;
}
int cudaRuntimeGetVersion(int *version) {
  return cudaDriverGetVersion(version);
}

int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = kHighestPriority;
  return fine();
}
int cudaDeviceGetPCIBusId(char *text, int bytes, int device) {
  return call([&]() -> int {
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
  return call([] { return abi::kInvalidDevice; });
}
int cudaDeviceDisablePeerAccess(int) {
  return call([] { return abi::kPeerAccessNotEnabled; });
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
