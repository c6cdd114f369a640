// SPDX-License-Identifier: Apache-2.0
//
// Where in the text of a variant (variant.cuh) device code comes from.

#pragma once

#include <cstdint>
#include <optional>

#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::session {

/// The innermost place in the variant's text; `own`: the instruction itself stands there.
struct Place {
  std::uint32_t line = 0, column = 0;
  bool own = false;
};

/// Of Instruction::location. Nullopt: the code and all calls it was inlined into stand elsewhere.
std::optional<Place> place_in_variant(const ptx::Module &module, std::uint32_t location);

}  // namespace cupilot::emulate::session
