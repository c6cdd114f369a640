// SPDX-License-Identifier: Apache-2.0
//
// What one access of a warp asks of the memory system: sectors and lines of global memory, wavefronts of
// shared memory. Pure functions of addresses.

#pragma once

#include <cstdint>
#include <vector>

#include "evolution/emulate/machine/observer.h"

namespace cupilot::emulate::estimation {

inline constexpr std::uint64_t kSectorBytes = 32, kLineBytes = 128;

/// Appends the different 32-byte sectors (address / 32) in ascending order of first touch; returns how many.
unsigned append_sectors(const AccessSeen &access, std::vector<std::uint64_t> &sectors);
unsigned count_lines(const std::uint64_t *sectors, unsigned count);

/// Passes of the L1: its banks are those of shared memory, and it looks up four lines at a time. (Measured:
/// 32 lanes in 32 lines take 32 cycles in one bank, 9 in different ones.)
unsigned l1_wavefronts(const AccessSeen &access, unsigned lines);

/// Passes through the 32 banks of 4 bytes: lanes that want different words of one bank wait. 8-byte accesses
/// go half a warp at a time, 16-byte ones a quarter.
struct SharedCost {
  unsigned wavefronts = 0, words = 0;  ///< words: different ones
};
SharedCost shared_cost(const AccessSeen &access);

/// Lanes of the address most lanes have, and whether all lanes have it.
struct Contention {
  std::uint64_t address = 0;
  unsigned lanes = 0, distinct = 0;
};
Contention contention(const AccessSeen &access);

}  // namespace cupilot::emulate::estimation
