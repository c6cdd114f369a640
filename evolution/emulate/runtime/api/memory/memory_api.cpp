// SPDX-License-Identifier: Apache-2.0
//
// Allocations. Device memory is a range of this process, so pinned, mapped and managed memory are the same as
// device memory; only queries distinguish them.

#include "evolution/emulate/runtime/api/call.h"
#include "evolution/emulate/runtime/api/memory/allocations.h"

namespace {

using namespace cupilot::emulate;
using namespace cupilot::emulate::runtime;

constexpr std::size_t kPitchUnit = 512;

int allocate_pitched(void **pointer, std::size_t *pitch, std::size_t width, std::size_t rows) {
  *pitch = (width + kPitchUnit - 1) / kPitchUnit * kPitchUnit;
  if (rows && *pitch > SIZE_MAX / rows) return cupilot::emulate::runtime::abi::kMemoryAllocation;
  return cupilot::emulate::runtime::allocate(pointer, *pitch * rows,
                                             cupilot::emulate::runtime::abi::kDeviceMemory);
}

}  // namespace

extern "C" {

int cudaMalloc(void **pointer, std::size_t bytes) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::allocate(pointer, bytes, cupilot::emulate::runtime::abi::kDeviceMemory);
  });
}
int cudaMallocManaged(void **pointer, std::size_t bytes, unsigned) {
  return cupilot::emulate::runtime::call([&] {
    return bytes ? cupilot::emulate::runtime::allocate(pointer, bytes,
                                                       cupilot::emulate::runtime::abi::kManagedMemory)
                 : int{cupilot::emulate::runtime::abi::kInvalidValue};
  });
}
int cudaMallocHost(void **pointer, std::size_t bytes) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::allocate(pointer, bytes, cupilot::emulate::runtime::abi::kHostMemory);
  });
}
int cudaHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
  return cupilot::emulate::runtime::call([&] {
    return cupilot::emulate::runtime::allocate(pointer, bytes, cupilot::emulate::runtime::abi::kHostMemory,
                                               flags);
  });
}
int cudaMallocPitch(void **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
  return cupilot::emulate::runtime::call([&] { return allocate_pitched(pointer, pitch, width, height); });
}
int cudaMalloc3D(cupilot::emulate::runtime::abi::PitchedPointer *place,
                 cupilot::emulate::runtime::abi::Extent extent) {
  return cupilot::emulate::runtime::call([&] {
    place->xsize = extent.width;
    place->ysize = extent.height;
    return allocate_pitched(&place->pointer, &place->pitch, extent.width, extent.height * extent.depth);
  });
}

int cudaFree(void *pointer) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::release(pointer, "cudaFree"); });
}
int cudaFreeHost(void *pointer) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::release(pointer, "cudaFreeHost"); });
}

int cudaHostRegister(void *pointer, std::size_t bytes, unsigned) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::register_host(pointer, bytes); });
}
int cudaHostUnregister(void *pointer) {
  return cupilot::emulate::runtime::call([&] { return cupilot::emulate::runtime::unregister_host(pointer); });
}
int cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  return cupilot::emulate::runtime::call(
      [&] { return cupilot::emulate::runtime::device_pointer(device, host); });
}
int cudaHostGetFlags(unsigned *flags, void *host) {
  return cupilot::emulate::runtime::call([&]() -> int {
    const auto *block = cupilot::emulate::runtime::find_block(host);
    if (!block || block->kind != cupilot::emulate::runtime::abi::kHostMemory)
      return cupilot::emulate::runtime::abi::kInvalidValue;
    *flags = block->flags;
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
  return cupilot::emulate::runtime::call([&] {
    auto &memory = cupilot::emulate::runtime::current_device().memory();
    *total = memory.capacity();
    *free_bytes = memory.capacity() - memory.used();
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

int cudaPointerGetAttributes(cupilot::emulate::runtime::abi::PointerAttributes *attributes,
                             const void *pointer) {
  return cupilot::emulate::runtime::call([&] {
    *attributes = {};
    const auto *block = cupilot::emulate::runtime::find_block(pointer);
    attributes->device = block ? 0 : cupilot::emulate::runtime::abi::kInvalidDeviceId;
    attributes->host_pointer = const_cast<void *>(pointer);
    if (!block) return cupilot::emulate::runtime::abi::kSuccess;
    attributes->type = block->kind;
    attributes->device_pointer = const_cast<void *>(pointer);
    if (block->kind == cupilot::emulate::runtime::abi::kDeviceMemory) attributes->host_pointer = nullptr;
    return cupilot::emulate::runtime::abi::kSuccess;
  });
}

// advice moves pages on a GPU; here there is one memory
int cudaMemAdvise(const void *, std::size_t, int, std::uint64_t) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
int cudaMemAdvise_v2(const void *, std::size_t, int, std::uint64_t) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
int cudaMemPrefetchAsync(const void *, std::size_t, std::uint64_t, unsigned, void *) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
int cudaMemPrefetchAsync_v2(const void *, std::size_t, std::uint64_t, unsigned, void *) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
CUPILOT_PER_THREAD(int, cudaMemPrefetchAsync, _ptsz, const void *, std::size_t, std::uint64_t, unsigned,
                   void *);
CUPILOT_PER_THREAD(int, cudaMemPrefetchAsync_v2, _ptsz, const void *, std::size_t, std::uint64_t, unsigned,
                   void *);
int cudaStreamAttachMemAsync(void *, void *, std::size_t, unsigned) {
  return cupilot::emulate::runtime::call([] { return cupilot::emulate::runtime::abi::kSuccess; });
}
CUPILOT_PER_THREAD(int, cudaStreamAttachMemAsync, _ptsz, void *, void *, std::size_t, unsigned);

}  // extern "C"
