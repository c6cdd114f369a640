// SPDX-License-Identifier: Apache-2.0
//
// What excludes a strategy outright: the architecture and the precision clause. Everything else only ranks.
//
// A record says them as `arch: sm_90` (that one alone, whatever its letter), `arch: sm_80+` (it and later)
// and `needs: the clause precision(tf32|half)` (one of these clauses; several such lines must all hold).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/strategy.h"

namespace cupilot {

/// 90 of "sm_90", "sm_90a" and "compute_90"; nullopt of anything else.
std::optional<int> architecture_number(std::string_view name);

/// "sm_90", "sm_90+" or "sm_90a".
bool is_architecture_pattern(std::string_view pattern);

/// Names between the parentheses of each `precision(...)` in one precondition: {"tf32", "half"}.
std::vector<std::string> clauses_named(std::string_view precondition);
bool is_precision_name(std::string_view name);

/// "needs sm_90", "needs the clause precision(tf32|half)", or nullopt. An empty architecture excludes
/// nothing.
std::optional<std::string> why_excluded(const Strategy &strategy, std::string_view architecture,
                                        PrecisionKind precision);

}  // namespace cupilot
