// SPDX-License-Identifier: Apache-2.0
//
// Where the addresses that a launch passes to a kernel go in its code. A kernel may load and store through
// them, move them, look at their lowest bits (alignment), and compare them with each other. What else it
// computes from them tells where memory lies, which is chance: another program has other addresses than any
// run here. The addresses of shared and local memory, of variables and of functions are taken the same way.
// Found without running: a register's value is a sum of addresses and other numbers, or has bits of them.
// Pure.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evolution/emulate/program/program.h"

namespace cupilot::emulate::session {

struct AddressUse {
  /// The first instruction of the kernel, or of what it calls, that computes with an address and stands in
  /// the variant's text: "variant.cuh:9: computes with an address of memory (rem.u64)".
  std::optional<std::string> computed;
  /// Comparisons of addresses in different buffers, or in one that is not known.
  std::set<const ptx::Instruction *> compared;
};

/// `pointers`: where the kernel's parameters hold addresses, in bytes from their start.
AddressUse address_use(const program::Program &program, std::uint32_t kernel,
                       const std::vector<std::uint32_t> &pointers);

}  // namespace cupilot::emulate::session
