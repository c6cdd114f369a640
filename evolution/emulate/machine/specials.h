// SPDX-License-Identifier: Apache-2.0
//
// The special registers that the emulator supports, and their values. Private to machine/.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "evolution/emulate/machine/block.h"

namespace cupilot::emulate::machine {

/// The number of a special register for special_value(); nullopt for an unknown name.
std::optional<int> special_kind(std::string_view name);
/// True when its value differs from block to block.
bool special_of_block(int kind);
/// Bits that follow from the seed and look like chance.
std::uint64_t mixed(std::uint64_t seed);
/// The value for `lane`; only some registers differ between lanes.
std::uint64_t special_value(int kind, const Warp &warp, int lane);

}  // namespace cupilot::emulate::machine
