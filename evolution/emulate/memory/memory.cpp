// SPDX-License-Identifier: Apache-2.0
//
// Allocations by address: the live ones, the freed ones, and which bytes were written. place.cpp chooses
// their addresses.

#include "evolution/emulate/memory/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "evolution/emulate/memory/machine_memory.h"

namespace cupilot::emulate::memory {
namespace {

std::string named(const Allocation &allocation) {
  return fmt::format("{} ({} bytes)", allocation.label, allocation.bytes);
}

/// Bytes between `address` and the allocation, 0 inside; bytes in front of it are weighted higher, because
/// indices are more often too large than negative.
std::uint64_t distance(const Allocation &allocation, std::uint64_t address) {
  if (address < allocation.address) return 4 * (allocation.address - address);
  return address < allocation.end() ? 0 : address - allocation.end() + 1;
}

}  // namespace

Result<std::uint64_t> Memory::allocate(std::uint64_t bytes, std::string label, bool track) {
  std::unique_lock lock(mutex_);
  if (bytes > capacity_ - used_)
    return fail(fmt::format("cannot allocate {} for {}: the emulated device has {}, {} of it in use",
                            memory_text(bytes), label, memory_text(capacity_), memory_text(used_)));
  const std::uint64_t address = place(bytes);
  if (address == 0 || !poison(address, bytes))
    return fail(fmt::format(
        "cannot allocate {} for {}: no room is left in the {} of addresses of the emulated device",
        memory_text(bytes), label, memory_text(reserved_)));
  // Freed allocations at this place are removed.
  auto old = allocations_.lower_bound(address);
  if (old != allocations_.begin() && std::prev(old)->second.end() > address) --old;
  while (old != allocations_.end() && old->first < address + std::max<std::uint64_t>(bytes, 1))
    old = allocations_.erase(old);

  Allocation &made = allocations_[address];
  made.address = address;
  made.bytes = bytes;
  made.label = std::move(label);
  if (track) made.written = WrittenBits(bytes);
  used_ += bytes;
  return address;
}

Result<> Memory::free(std::uint64_t address) {
  std::unique_lock lock(mutex_);
  const auto at = allocations_.find(address);
  if (at == allocations_.end()) {
    auto inside = allocations_.upper_bound(address);
    if (inside != allocations_.begin() && (--inside)->second.live && address < inside->second.end())
      return user_error(
          fmt::format("free of an address {} bytes inside of {}: only its first byte can be freed",
                      address - inside->first, named(inside->second)));
    return user_error("free of an address that was never allocated");
  }
  Allocation &allocation = at->second;
  if (!allocation.live) return user_error("second free of " + named(allocation));
  allocation.live = false;
  allocation.written = WrittenBits();
  used_ -= allocation.bytes;
  release_pages(address, allocation.bytes);
  remember_freed(address);
  return {};
}

void Memory::set_read_only(std::uint64_t address) {
  std::unique_lock lock(mutex_);
  if (const auto at = allocations_.find(address); at != allocations_.end()) at->second.read_only = true;
}

const Allocation *Memory::find(std::uint64_t address) const {
  std::shared_lock lock(mutex_);
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation &allocation = std::prev(after)->second;
  return allocation.live && address < allocation.end() ? &allocation : nullptr;
}

std::unique_ptr<Allocation> Memory::nearest(std::uint64_t address) const {
  std::shared_lock lock(mutex_);
  const Allocation *best = nullptr;
  const auto consider = [&](const Allocation &allocation) {
    // At equal distance a live allocation is the better explanation.
    if (!best || std::pair(distance(allocation, address), !allocation.live) <
                     std::pair(distance(*best, address), !best->live))
      best = &allocation;
  };
  auto after = allocations_.upper_bound(address);
  if (after != allocations_.end()) consider(after->second);
  // Several, because freed ones may lie between.
  for (int steps = 0; steps < 4 && after != allocations_.begin(); ++steps) consider((--after)->second);
  if (!best) return nullptr;
  auto copy = std::make_unique<Allocation>();
  copy->address = best->address;
  copy->bytes = best->bytes;
  copy->label = best->label;
  copy->read_only = best->read_only;
  copy->live = best->live;
  return copy;
}

void Memory::mark_written(std::uint64_t address, std::uint64_t bytes) {
  const Allocation *allocation = find(address);
  if (!allocation || !allocation->written) return;
  allocation->written.set(address - allocation->address, std::min(bytes, allocation->end() - address));
}

void Memory::begin_launch() {
  std::unique_lock lock(mutex_);
  for (auto &[address, allocation] : allocations_)
    if (allocation.live && allocation.scratch()) allocation.written.clear();
}

std::uint64_t Memory::used() const {
  std::shared_lock lock(mutex_);
  return used_;
}

}  // namespace cupilot::emulate::memory
