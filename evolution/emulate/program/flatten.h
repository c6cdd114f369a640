// SPDX-License-Identifier: Apache-2.0
//
// Flattens an instruction's operands into the list that handlers use: vectors, pairs and lists are split into
// their members, and an address becomes its base. Private to program/.

#pragma once

#include <vector>

#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::program {

struct Leaf {
  const ptx::Operand *operand = nullptr;
  bool address = false;     ///< base of an address
  std::int64_t offset = 0;  ///< of the address
};

std::vector<Leaf> flatten(const std::vector<ptx::Operand> &operands);

/// The bits of a literal for an operand of that width; `real`: as a floating-point number.
std::uint64_t literal_bits(const ptx::Operand &literal, unsigned bits, bool real);

}  // namespace cupilot::emulate::program
