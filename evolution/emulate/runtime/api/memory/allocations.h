// SPDX-License-Identifier: Apache-2.0
//
// Records the program's allocations and their kinds; the memory itself belongs to the device. Callers hold
// the call mutex.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "evolution/emulate/runtime/api/abi.h"

namespace cupilot::emulate::runtime {

struct Block {
  std::uint64_t address = 0, bytes = 0;
  abi::MemoryKind kind = abi::kDeviceMemory;
  unsigned flags = 0;
};

int allocate(void **pointer, std::size_t bytes, abi::MemoryKind kind, unsigned flags = 0);
int release(void *pointer, const std::string &function);
int register_host(void *pointer, std::size_t bytes);
int unregister_host(void *pointer);
int device_pointer(void **device, void *host);
/// Copies registered host memory whose device address was requested: to the device before a launch, and back
/// after it.
void bring_registered(bool to_device);
/// The block that contains the address; nullptr: not allocated by the runtime.
const Block *find_block(const void *address);
/// Releases all blocks, for cudaDeviceReset.
void release_all();

}  // namespace cupilot::emulate::runtime
