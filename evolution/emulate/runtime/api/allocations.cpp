// SPDX-License-Identifier: Apache-2.0
//
// Blocks by address, and how they are named in messages.

#include "evolution/emulate/runtime/api/allocations.h"

#include <map>

#include "evolution/emulate/runtime/api/call.h"

namespace cupilot::emulate::runtime {
namespace {

std::map<std::uint64_t, Block> &blocks() {
  static auto &all = *new std::map<std::uint64_t, Block>;  // outlives the program's own destructors
  return all;
}

/// By cudaHostRegister: start, bytes.
std::map<const void *, std::size_t> &registered() {
  static auto &all = *new std::map<const void *, std::size_t>;
  return all;
}

std::string next_label() {
  static unsigned count = 0;
  return "allocation " + std::to_string(++count);
}

}  // namespace

int allocate(void **pointer, std::size_t bytes, abi::MemoryKind kind, unsigned flags) {
  if (!pointer) return abi::kInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return abi::kSuccess;
  auto &device = current_device();
  const bool track = device.options().launch.checks.initialised && kind == abi::kDeviceMemory;
  const auto address = device.memory().allocate(bytes, next_label(), track);
  if (!address) return abi::kMemoryAllocation;
  blocks()[*address] = {*address, bytes, kind, flags};
  *pointer = reinterpret_cast<void *>(*address);
  return abi::kSuccess;
}

int release(void *pointer, const std::string &function) {
  if (!pointer) return abi::kSuccess;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  const auto freed = current_device().memory().free(address);
  if (!freed) return refuse(abi::kInvalidValue, function + ": " + freed.error().message);
  blocks().erase(address);
  return abi::kSuccess;
}

const Block *find_block(const void *address) {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  auto after = blocks().upper_bound(at);
  if (after == blocks().begin()) return nullptr;
  const auto &block = std::prev(after)->second;
  return at < block.address + block.bytes ? &block : nullptr;
}

int register_host(void *pointer, std::size_t bytes) {
  if (!pointer || !bytes) return abi::kInvalidValue;
  return registered().emplace(pointer, bytes).second ? abi::kSuccess : abi::kHostMemoryAlreadyRegistered;
}

int unregister_host(void *pointer) {
  return registered().erase(pointer) ? abi::kSuccess : abi::kHostMemoryNotRegistered;
}

int device_pointer(void **device, void *host) {
  const auto *block = find_block(host);
  *device = block ? host : nullptr;
  if (block) return abi::kSuccess;
  if (!registered().contains(host)) return abi::kInvalidValue;
  return refuse(
      abi::kNotSupported,
      "kernels cannot reach memory made usable by cudaHostRegister; allocate it with cudaHostAlloc");
}

void release_all() {
  for (const auto &[address, block] : blocks()) static_cast<void>(current_device().memory().free(address));
  blocks().clear();
}

}  // namespace cupilot::emulate::runtime
