// SPDX-License-Identifier: Apache-2.0
//
// Blocks by address, and how they are named in messages.

#include "evolution/emulate/runtime/api/memory/allocations.h"

#include <fmt/format.h>

#include <cstring>
#include <map>

#include "evolution/emulate/runtime/api/call.h"

namespace cupilot::emulate::runtime {
namespace {

std::map<std::uint64_t, Block> &blocks() {
  static auto &all = *new std::map<std::uint64_t, Block>;  // outlives the program's own destructors
  return all;
}

/// Memory of the program itself that cudaHostRegister made usable. Kernels cannot reach it at its host
/// address, so it has a copy on the device, which is made when the program asks for the device address. The
/// two are synchronised before and after each launch.
struct Registered {
  std::size_t bytes = 0;
  std::byte *twin = nullptr;
};
std::map<std::byte *, Registered> &registered() {
  static auto &all = *new std::map<std::byte *, Registered>;
  return all;
}

/// The registered memory that contains the address; end(): none.
auto find_registered(std::byte *address) {
  auto after = registered().upper_bound(address);
  if (after == registered().begin()) return registered().end();
  const auto found = std::prev(after);
  return address < found->first + found->second.bytes ? found : registered().end();
}

std::string next_label() {
  static unsigned count = 0;
  return fmt::format("allocation {}", ++count);
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
  if (!freed) return refuse(abi::kInvalidValue, fmt::format("{}: {}", function, freed.error().message));
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
  auto *const host = static_cast<std::byte *>(pointer);
  if (find_registered(host) != registered().end()) return abi::kHostMemoryAlreadyRegistered;
  registered()[host] = {bytes, nullptr};
  return abi::kSuccess;
}

int unregister_host(void *pointer) {
  const auto found = registered().find(static_cast<std::byte *>(pointer));
  if (found == registered().end()) return abi::kHostMemoryNotRegistered;
  const int code = release(found->second.twin, "cudaHostUnregister");
  registered().erase(found);
  return code;
}

int device_pointer(void **device, void *host) {
  if (find_block(host)) {
    *device = host;
    return abi::kSuccess;
  }
  const auto found = find_registered(static_cast<std::byte *>(host));
  if (found == registered().end()) return abi::kInvalidValue;
  auto &[begin, entry] = *found;
  void *twin = entry.twin;
  if (!twin) {
    if (const int code = allocate(&twin, entry.bytes, abi::kHostMemory)) return code;
    entry.twin = static_cast<std::byte *>(twin);
    std::memcpy(twin, begin, entry.bytes);
  }
  *device = entry.twin + (static_cast<std::byte *>(host) - begin);
  return abi::kSuccess;
}

void bring_registered(bool to_device) {
  for (auto &[host, entry] : registered())
    if (entry.twin) std::memcpy(to_device ? entry.twin : host, to_device ? host : entry.twin, entry.bytes);
}

void release_all() {
  for (const auto &[address, block] : blocks()) static_cast<void>(current_device().memory().free(address));
  blocks().clear();
  registered().clear();
}

}  // namespace cupilot::emulate::runtime
