// SPDX-License-Identifier: Apache-2.0
//
// Describes an invalid access: its distance from the nearest allocation, or its misalignment.

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "evolution/emulate/machine/access.h"

namespace cupilot::emulate::machine {
namespace {

using ptx::Space;

constexpr std::uint64_t kNullPage = 65536;  ///< indexing from a null pointer
constexpr std::uint64_t kFar = 64u << 20;   ///< allocations further away are not named

std::string count(std::uint64_t bytes) {
  return fmt::format("{} {}", bytes, bytes == 1 ? "byte" : "bytes");
}

std::string named(const memory::Allocation &allocation) {
  return fmt::format("{} ({})", allocation.label, count(allocation.bytes));
}

/// A shared address as the kernel's author counts it, without the bytes reserved for the system.
std::string shared_text(const Warp &warp, std::uint64_t address) {
  const std::uint64_t size = warp.block->launch.shared_bytes;
  if (address < kReservedShared)
    return fmt::format("shared address {:#x}, in front of all variables", address);
  return fmt::format("shared address {} of {}", address - kReservedShared,
                     size - std::min<std::uint64_t>(size, kReservedShared));
}

/// The position of `address` relative to the nearest allocation.
std::string beside(const memory::Allocation &near, const Access &access, std::uint64_t address) {
  if (!near.live) {
    if (address >= near.address && address < near.end())
      return fmt::format(" inside the freed allocation {}, at its byte {}", named(near),
                         address - near.address);
    return address < near.address ? fmt::format(", {} before the freed allocation {}",
                                                count(near.address - address), named(near))
                                  : fmt::format(", {} past the end of the freed allocation {}",
                                                count(address - near.end()), named(near));
  }
  if (address < near.address)
    return fmt::format(", {} before {}", count(near.address - address), named(near));
  if (address < near.end() && address + access.bytes > near.end())
    return fmt::format(", {} of them past the end of {}", count(address + access.bytes - near.end()),
                       named(near));
  if (address < near.end())
    return fmt::format(" of read-only memory: {} + {}", named(near), address - near.address);
  if (address == near.end()) return " right past the end of " + named(near);
  return fmt::format(", {} past the end of {}", count(address - near.end()), named(near));
}

std::uint64_t gap(const memory::Allocation &near, std::uint64_t address) {
  if (address < near.address) return near.address - address;
  return address < near.end() ? 0 : address - near.end();
}

void report_global(Warp &warp, const program::Step &step, int lane, const Access &access,
                   std::uint64_t address) {
  const auto near = warp.block->launch.memory.nearest(address);
  FindingKind kind = FindingKind::out_of_bounds;
  std::string text = access_text(access);
  if (address < kNullPage)
    text += fmt::format(" through a null pointer (address {:#x})", address);
  else if (!near || gap(*near, address) > kFar)
    text += fmt::format(" at {:#x}, which is in no allocation", address);
  else {
    text += beside(*near, access, address);
    if (near->scratch() && near->live) kind = FindingKind::scratch_misuse;
  }
  report(warp, step, kind, lane, std::move(text));
}

}  // namespace

std::string access_text(const Access &access) {
  const char *verb = access.atomic ? "updates " : access.writes ? "writes " : "reads ";
  return verb + count(access.bytes);
}

std::string address_text(const Warp &warp, ptx::Space space, std::uint64_t address) {
  if (space == ptx::Space::shared) return shared_text(warp, address);
  if (space == ptx::Space::local) return fmt::format("local address {}", address);
  const memory::Allocation *allocation = warp.block->launch.memory.find(address);
  if (!allocation) return fmt::format("address {:#x}", address);
  return fmt::format("{} + {} ({})", allocation->label, address - allocation->address,
                     count(allocation->bytes));
}

void report_bounds(Warp &warp, const program::Step &step, int lane, const Access &access, ptx::Space space,
                   std::uint64_t address) {
  if (space == ptx::Space::shared)
    report(warp, step, FindingKind::out_of_bounds, lane,
           fmt::format("{} at {}", access_text(access), shared_text(warp, address)));
  else if (space == ptx::Space::local)
    report(warp, step, FindingKind::out_of_bounds, lane,
           fmt::format("{} at local address {} of {}", access_text(access), address, warp.local_bytes));
  else
    report_global(warp, step, lane, access, address);
}

void report_alignment(Warp &warp, const program::Step &step, int lane, const Access &access, ptx::Space space,
                      std::uint64_t address) {
  report(
      warp, step, FindingKind::misaligned, lane,
      fmt::format("{} at an address that is no multiple of {}: it is {} past one ({})", access_text(access),
                  access.alignment, count(address % access.alignment), address_text(warp, space, address)));
}

}  // namespace cupilot::emulate::machine
