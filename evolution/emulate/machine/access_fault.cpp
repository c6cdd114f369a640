// SPDX-License-Identifier: Apache-2.0
//
// Describes an invalid access: its distance from the nearest allocation, or its misalignment.

#include <algorithm>
#include <cstdio>
#include <string>

#include "evolution/emulate/machine/access.h"

namespace cupilot::emulate {
namespace {

using ptx::Space;

constexpr std::uint64_t kNullPage = 65536;  ///< indexing from a null pointer
constexpr std::uint64_t kFar = 64u << 20;   ///< allocations further away are not named

std::string count(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string hexadecimal(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

std::string named(const Allocation &allocation) {
  return allocation.label + " (" + count(allocation.bytes) + ")";
}

/// A shared address as the kernel's author counts it, without the bytes reserved for the system.
std::string shared_text(const Warp &warp, std::uint64_t address) {
  const std::uint64_t size = warp.block->launch.shared_bytes;
  if (address < kReservedShared)
    return "shared address " + hexadecimal(address) + ", in front of all variables";
  return "shared address " + std::to_string(address - kReservedShared) + " of " +
         std::to_string(size - std::min<std::uint64_t>(size, kReservedShared));
}

/// The position of `address` relative to the nearest allocation.
std::string beside(const Allocation &near, const Access &access, std::uint64_t address) {
  if (!near.live) {
    if (address >= near.address && address < near.end())
      return " inside the freed allocation " + named(near) + ", at its byte " +
             std::to_string(address - near.address);
    return address < near.address
               ? ", " + count(near.address - address) + " before the freed allocation " + named(near)
               : ", " + count(address - near.end()) + " past the end of the freed allocation " + named(near);
  }
  if (address < near.address) return ", " + count(near.address - address) + " before " + named(near);
  if (address < near.end() && address + access.bytes > near.end())
    return ", " + count(address + access.bytes - near.end()) + " of them past the end of " + named(near);
  if (address < near.end())
    return " of read-only memory: " + named(near) + " + " + std::to_string(address - near.address);
  if (address == near.end()) return " right past the end of " + named(near);
  return ", " + count(address - near.end()) + " past the end of " + named(near);
}

std::uint64_t gap(const Allocation &near, std::uint64_t address) {
  if (address < near.address) return near.address - address;
  return address < near.end() ? 0 : address - near.end();
}

void report_global(Warp &warp, const Step &step, int lane, const Access &access, std::uint64_t address) {
  const auto near = warp.block->launch.memory.nearest(address);
  FindingKind kind = FindingKind::out_of_bounds;
  std::string text = access_text(access);
  if (address < kNullPage)
    text += " through a null pointer (address " + hexadecimal(address) + ")";
  else if (!near || gap(*near, address) > kFar)
    text += " at " + hexadecimal(address) + ", which is in no allocation";
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

std::string address_text(const Warp &warp, Space space, std::uint64_t address) {
  if (space == Space::shared) return shared_text(warp, address);
  if (space == Space::local) return "local address " + std::to_string(address);
  const Allocation *allocation = warp.block->launch.memory.find(address);
  if (!allocation) return "address " + hexadecimal(address);
  return allocation->label + " + " + std::to_string(address - allocation->address) + " (" +
         count(allocation->bytes) + ")";
}

void report_bounds(Warp &warp, const Step &step, int lane, const Access &access, Space space,
                   std::uint64_t address) {
  if (space == Space::shared)
    report(warp, step, FindingKind::out_of_bounds, lane,
           access_text(access) + " at " + shared_text(warp, address));
  else if (space == Space::local)
    report(warp, step, FindingKind::out_of_bounds, lane,
           access_text(access) + " at local address " + std::to_string(address) + " of " +
               std::to_string(warp.local_bytes));
  else
    report_global(warp, step, lane, access, address);
}

void report_alignment(Warp &warp, const Step &step, int lane, const Access &access, Space space,
                      std::uint64_t address) {
  report(warp, step, FindingKind::misaligned, lane,
         access_text(access) + " at an address that is no multiple of " + std::to_string(access.alignment) +
             ": it is " + count(address % access.alignment) + " past one (" +
             address_text(warp, space, address) + ")");
}

}  // namespace cupilot::emulate
