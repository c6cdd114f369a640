// SPDX-License-Identifier: Apache-2.0
//
// The bytes of loads and stores between memory and registers: every type, width of register and vector, for
// lanes that lie side by side, all at one address, or anywhere. Private to machine/.

#pragma once

#include <cstddef>
#include <cstdint>

#include "evolution/emulate/program/step.h"

namespace cupilot::emulate {

struct LoadTransfer {
  /// Lane i's element (all vector members together) is the i-th of the array at `from`.
  void (*contiguous)(std::byte *frame, const Offset *at, const std::byte *from) = nullptr;
  /// All lanes of `mask` read the element at `from`.
  void (*uniform)(std::byte *frame, const Offset *at, Mask mask, const std::byte *from) = nullptr;
  void (*scattered)(std::byte *frame, const Offset *at, Mask mask, std::byte *const *from) = nullptr;
};

struct StoreTransfer {
  void (*contiguous)(const std::byte *frame, const Offset *at, std::byte *to) = nullptr;
  void (*scattered)(const std::byte *frame, const Offset *at, Mask mask, std::byte *const *to) = nullptr;
};

/// `memory_bits` of one member; `register_bits` at least that; `members` 1, 2, 4 or 8. Members null: there is
/// no such combination.
LoadTransfer load_transfer(unsigned memory_bits, unsigned register_bits, bool sign, unsigned members);
StoreTransfer store_transfer(unsigned memory_bits, unsigned register_bits, unsigned members);

}  // namespace cupilot::emulate
