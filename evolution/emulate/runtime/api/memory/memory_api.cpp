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
  if (rows && *pitch > SIZE_MAX / rows) return abi::kMemoryAllocation;
  return allocate(pointer, *pitch * rows, abi::kDeviceMemory);
}

}  // namespace

extern "C" {

int cudaMalloc(void **pointer, std::size_t bytes) {
  return call([&] { return allocate(pointer, bytes, abi::kDeviceMemory); });
}
int cudaMallocManaged(void **pointer, std::size_t bytes, unsigned) {
  return call(
      [&] { return bytes ? allocate(pointer, bytes, abi::kManagedMemory) : int{abi::kInvalidValue}; });
}
int cudaMallocHost(void **pointer, std::size_t bytes) {
  return call([&] { return allocate(pointer, bytes, abi::kHostMemory); });
}
int cudaHostAlloc(void **pointer, std::size_t bytes, unsigned flags) {
  return call([&] { return allocate(pointer, bytes, abi::kHostMemory, flags); });
}
int cudaMallocPitch(void **pointer, std::size_t *pitch, std::size_t width, std::size_t height) {
  return call([&] { return allocate_pitched(pointer, pitch, width, height); });
}
int cudaMalloc3D(abi::PitchedPointer *place, abi::Extent extent) {
  return call([&] {
    place->xsize = extent.width;
    place->ysize = extent.height;
    return allocate_pitched(&place->pointer, &place->pitch, extent.width, extent.height * extent.depth);
  });
}

int cudaFree(void *pointer) {
  return call([&] { return release(pointer, "cudaFree"); });
}
int cudaFreeHost(void *pointer) {
  return call([&] { return release(pointer, "cudaFreeHost"); });
}

int cudaHostRegister(void *pointer, std::size_t bytes, unsigned) {
  return call([&] { return register_host(pointer, bytes); });
}
int cudaHostUnregister(void *pointer) {
  return call([&] { return unregister_host(pointer); });
}
int cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  return call([&] { return device_pointer(device, host); });
}
int cudaHostGetFlags(unsigned *flags, void *host) {
  return call([&]() -> int {
    const auto *block = find_block(host);
    if (!block || block->kind != abi::kHostMemory) return abi::kInvalidValue;
    *flags = block->flags;
    return abi::kSuccess;
  });
}

int cudaMemGetInfo(std::size_t *free_bytes, std::size_t *total) {
  return call([&] {
    auto &memory = current_device().memory();
    *total = memory.capacity();
    *free_bytes = memory.capacity() - memory.used();
    return abi::kSuccess;
  });
}

int cudaPointerGetAttributes(abi::PointerAttributes *attributes, const void *pointer) {
  return call([&] {
    *attributes = {};
    const auto *block = find_block(pointer);
    attributes->device = block ? 0 : abi::kInvalidDeviceId;
    attributes->host_pointer = const_cast<void *>(pointer);
    if (!block) return abi::kSuccess;
    attributes->type = block->kind;
    attributes->device_pointer = const_cast<void *>(pointer);
    if (block->kind == abi::kDeviceMemory) attributes->host_pointer = nullptr;
    return abi::kSuccess;
  });
}

// advice moves pages on a GPU; here there is one memory
int cudaMemAdvise(const void *, std::size_t, int, std::uint64_t) {
  return call([] { return abi::kSuccess; });
}
int cudaMemAdvise_v2(const void *, std::size_t, int, std::uint64_t) {
  return call([] { return abi::kSuccess; });
}
int cudaMemPrefetchAsync(const void *, std::size_t, std::uint64_t, unsigned, void *) {
  return call([] { return abi::kSuccess; });
}
int cudaMemPrefetchAsync_v2(const void *, std::size_t, std::uint64_t, unsigned, void *) {
  return call([] { return abi::kSuccess; });
}
CUPILOT_PER_THREAD(int, cudaMemPrefetchAsync, _ptsz, const void *, std::size_t, std::uint64_t, unsigned,
                   void *);
CUPILOT_PER_THREAD(int, cudaMemPrefetchAsync_v2, _ptsz, const void *, std::size_t, std::uint64_t, unsigned,
                   void *);
int cudaStreamAttachMemAsync(void *, void *, std::size_t, unsigned) {
  return call([] { return abi::kSuccess; });
}
CUPILOT_PER_THREAD(int, cudaStreamAttachMemAsync, _ptsz, void *, void *, std::size_t, unsigned);

}  // extern "C"
