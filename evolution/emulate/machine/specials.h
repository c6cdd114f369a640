// SPDX-License-Identifier: Apache-2.0
//
// The special registers that exist, and their values. Private to machine/.

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "evolution/emulate/machine/block.h"

namespace cupilot::emulate {

/// A number that special_value() knows; nullopt: there is no such special register.
std::optional<int> special_kind(std::string_view name);
/// Its value differs from block to block.
bool special_of_block(int kind);
/// `lane` matters only for some.
std::uint64_t special_value(int kind, const Warp &warp, int lane);

}  // namespace cupilot::emulate
