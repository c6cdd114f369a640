// SPDX-License-Identifier: Apache-2.0
//
// Counts what one access of a warp requests: sectors and lines of global memory, and wavefronts (passes) of
// shared memory. All functions depend on the addresses only.

#pragma once

#include <cstdint>
#include <vector>

#include "evolution/emulate/machine/observer.h"

namespace cupilot::emulate::estimate {

inline constexpr std::uint64_t kSectorBytes = 32, kLineBytes = 128;

/// Appends the different 32-byte sectors (address / 32) in the order of their first lane; returns how many.
unsigned append_sectors(const machine::AccessSeen &access, std::vector<std::uint64_t> &sectors);
unsigned count_lines(const std::uint64_t *sectors, unsigned count);

/// Number of passes of the L1. It has the same banks as shared memory and looks up four lines at a time.
/// (Measured: 32 lanes in 32 lines take 32 cycles in one bank, 9 in different ones.)
unsigned l1_wavefronts(const machine::AccessSeen &access, unsigned lines);

/// Passes through the 32 banks of 4 bytes; lanes that access different words of one bank conflict. 8-byte
/// accesses are processed half a warp at a time, 16-byte accesses a quarter at a time.
struct SharedCost {
  unsigned wavefronts = 0, words = 0;  ///< words: number of different words
};
SharedCost shared_cost(const machine::AccessSeen &access);

/// The number of lanes on the most frequent address, and whether all lanes have that address.
struct Contention {
  std::uint64_t address = 0;
  unsigned lanes = 0, distinct = 0;
};
Contention contention(const machine::AccessSeen &access);

}  // namespace cupilot::emulate::estimate
