// SPDX-License-Identifier: Apache-2.0
//
// Which place of a variant's text an instruction comes from, by the locations that the compiler wrote.

#pragma once

#include <cstdint>
#include <optional>

#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::session {

/// The innermost place in the variant's text; `own`: the instruction itself stands there, and not in
/// something that is called there.
struct Place {
  std::uint32_t line = 0, column = 0;
  bool own = false;
};
/// `location`: index in Module::locations.
std::optional<Place> place_of(const ptx::Module &module, std::uint32_t location);

}  // namespace cupilot::emulate::session
