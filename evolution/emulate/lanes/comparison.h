// SPDX-License-Identifier: Apache-2.0
//
// setp and set, whatever they compare: integers and f32, f64 (logic), f16 and bf16 (half).

#pragma once

#include "evolution/emulate/lanes/lookup.h"

namespace cupilot::emulate {

/// {setp,set}.CmpOp{.BoolOp}{.ftz}{.dtype}.type; `lookup` has them as "setp.<cmp>{.ftz}.<type>" and "set.
/// ...".
std::optional<Binding> bind_comparison(const BindRequest &request, Isa isa, const FamilyLookup &lookup,
                                       std::string &why);

}  // namespace cupilot::emulate
