// SPDX-License-Identifier: Apache-2.0
//
// Stream-ordered allocation and memory pools: every pool takes from the device's memory, pools only remember
// what was set. Within a capture an allocation is made at once and freed with the graph's last use unknown:
// it stays until cudaDeviceReset.

#include <array>
#include <map>
#include <memory>

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/allocations.h"
#include "evolution/emulate/runtime/api/stream/stream.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

struct Pool {
  std::array<std::uint64_t, 9> attributes{};
};

Pool &default_pool() {
  static auto &pool = *new Pool;
  return pool;
}
std::map<const void *, std::unique_ptr<Pool>> &pools() {
  static auto &all = *new std::map<const void *, std::unique_ptr<Pool>>;
  return all;
}
Pool *find_pool(const void *handle) {
  if (handle == &default_pool()) return &default_pool();
  const auto found = pools().find(handle);
  return found == pools().end() ? nullptr : found->second.get();
}

int allocate_in(void *stream, void **pointer, std::size_t bytes) {
  if (!cupilot::emulate::runtime::find_stream(stream))
    return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  return cupilot::emulate::runtime::allocate(pointer, bytes, cupilot::emulate::runtime::abi::kDeviceMemory);
}

int free_in(void *stream, void *pointer) {
  const auto *found = cupilot::emulate::runtime::find_stream(stream);
  if (!found) return cupilot::emulate::runtime::abi::kInvalidResourceHandle;
  return found->capture ? cupilot::emulate::runtime::abi::kSuccess
                        : cupilot::emulate::runtime::release(pointer, "cudaFreeAsync");
}

constexpr int kFirst32 = 1, kLast32 = 3;  ///< attributes that are int, the others are 64 bits wide

}  // namespace

extern "C" {

int cudaMallocAsync(void **pointer, std::size_t bytes, void *stream) {
  return cupilot::emulate::runtime::call([&] { return allocate_in(stream, pointer, bytes); });
}
CUPILOT_PER_THREAD(int, cudaMallocAsync, _ptsz, void **, std::size_t, void *);
int cudaFreeAsync(void *pointer, void *stream) {
  return cupilot::emulate::runtime::call([&] { return free_in(stream, pointer); });
}
CUPILOT_PER_THREAD(int, cudaFreeAsync, _ptsz, void *, void *);
int cudaMallocFromPoolAsync(void **pointer, std::size_t bytes, void *pool, void *stream) {
  return cupilot::emulate::runtime::call([&] {
    return find_pool(pool) ? allocate_in(stream, pointer, bytes)
                           : int{cupilot::emulate::runtime::abi::kInvalidValue};
  });
}
CUPILOT_PER_THREAD(int, cudaMallocFromPoolAsync, _ptsz, void **, std::size_t, void *, void *);

int cudaDeviceGetDefaultMemPool(void **pool, int) {
  return cupilot::emulate::runtime::call([&] {
    *pool = &default_pool();
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaDeviceGetMemPool(void **pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
int cudaMemGetDefaultMemPool(void **pool, const void *, int) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}
int cudaMemGetMemPool(void **pool, const void *, int) {
  return cudaDeviceGetDefaultMemPool(pool, 0);
}
int cudaDeviceSetMemPool(int, void *pool) {
  return cupilot::emulate::runtime::call([&] {
    return find_pool(pool) ? cupilot::emulate::runtime::abi::kSuccess
                           : cupilot::emulate::runtime::abi::kInvalidValue;
  });
}
int cudaMemPoolCreate(void **pool, const void *) {
  return cupilot::emulate::runtime::call([&] {
    auto made = std::make_unique<Pool>();
    *pool = made.get();
    pools()[*pool] = std::move(made);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaMemPoolDestroy(void *pool) {
  return cupilot::emulate::runtime::call([&] {
    return pools().erase(pool) ? cupilot::emulate::runtime::abi::kSuccess
                               : cupilot::emulate::runtime::abi::kInvalidValue;
  });
}
int cudaMemPoolSetAttribute(void *pool, int attribute, void *value) {
  return cupilot::emulate::runtime::call([&]() -> int {
    auto *const found = find_pool(pool);
    if (!found || attribute < kFirst32 || attribute >= static_cast<int>(found->attributes.size()))
      return cupilot::emulate::runtime::abi::kInvalidValue;
    found->attributes[attribute] =
        attribute <= kLast32 ? *static_cast<unsigned *>(value) : *static_cast<std::uint64_t *>(value);
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaMemPoolGetAttribute(void *pool, int attribute, void *value) {
  return cupilot::emulate::runtime::call([&]() -> int {
    const auto *found = find_pool(pool);
    if (!found || attribute < kFirst32 || attribute >= static_cast<int>(found->attributes.size()))
      return cupilot::emulate::runtime::abi::kInvalidValue;
    if (attribute <= kLast32)
      *static_cast<unsigned *>(value) = static_cast<unsigned>(found->attributes[attribute]);
    else
      *static_cast<std::uint64_t *>(value) = found->attributes[attribute];
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}
int cudaMemPoolTrimTo(void *, std::size_t) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
int cudaMemPoolSetAccess(void *, const void *, std::size_t) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}

}  // extern "C"
