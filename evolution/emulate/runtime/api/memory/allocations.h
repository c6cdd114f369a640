// SPDX-License-Identifier: Apache-2.0
//
// What the program allocated and how, beside the device's memory itself. Callers hold the call mutex.

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
/// Before a launch to the device, after it back: registered memory whose device address was asked for.
void bring_registered(bool to_device);
/// The block that contains the address; nullptr: not the runtime's.
const Block *find_block(const void *address);
/// cudaDeviceReset: all of them.
void release_all();

}  // namespace cupilot::emulate::runtime
