// SPDX-License-Identifier: Apache-2.0
//
// Binds setp and set for all operand types: integers, f32 and f64 (logic.cpp), f16 and bf16 (half.cpp).

#pragma once

#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate::lanes {

/// {setp,set}.CmpOp{.BoolOp}{.ftz}{.dtype}.type; `lookup` has them as "setp.<cmp>{.ftz}.<type>" and "set.
/// ...".
std::optional<program::Binding> bind_comparison(const program::BindRequest &request, program::Isa isa,
                                                const FamilyLookup &lookup, std::string &why);

}  // namespace cupilot::emulate::lanes
