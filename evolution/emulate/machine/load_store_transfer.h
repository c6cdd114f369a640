// SPDX-License-Identifier: Apache-2.0
//
// Copies the bytes of loads and stores between memory and registers, for every type, register width and
// vector size. There are separate functions for contiguous lanes, for lanes with one common address, and for
// arbitrary addresses. Private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate::machine {

struct LoadTransfer {
  /// Lane i's element (all members of the vector) is element i of the array at `from`.
  void (*contiguous)(std::byte *frame, const program::Offset *at, const std::byte *from) = nullptr;
  /// All lanes of `mask` read the element at `from`.
  void (*uniform)(std::byte *frame, const program::Offset *at, program::Mask mask,
                  const std::byte *from) = nullptr;
  void (*scattered)(std::byte *frame, const program::Offset *at, program::Mask mask,
                    std::byte *const *from) = nullptr;
};

struct StoreTransfer {
  void (*contiguous)(const std::byte *frame, const program::Offset *at, std::byte *to) = nullptr;
  void (*scattered)(const std::byte *frame, const program::Offset *at, program::Mask mask,
                    std::byte *const *to) = nullptr;
};

/// `memory_bits` is the width of one member in memory, `register_bits` is at least that, `members` is 1, 2, 4
/// or 8. The function pointers are null for a combination that does not exist.
LoadTransfer load_transfer(unsigned memory_bits, unsigned register_bits, bool sign, unsigned members);
StoreTransfer store_transfer(unsigned memory_bits, unsigned register_bits, unsigned members);

}  // namespace cupilot::emulate::machine
