// SPDX-License-Identifier: Apache-2.0
//
// Decides which strategies are excluded for a kernel: only the architecture and the precision clause exclude.
// Everything else only affects the ranking.
//
// A strategy's text gives them as `arch: sm_90` (only that architecture, with any suffix letter), `arch:
// sm_80+` (that one and later) and `needs: the clause precision(tf32|half)` (one of these clauses; if there
// are several such lines, all must hold).

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/model/strategy.h"

namespace cupilot::strategy {

/// 90 for "sm_90", "sm_90a" and "compute_90"; nullopt for anything else.
std::optional<int> architecture_number(std::string_view name);

/// True for "sm_90", "sm_90+" and "sm_90a".
bool is_architecture_pattern(std::string_view pattern);

/// The names in the parentheses of each `precision(...)` in a precondition: {"tf32", "half"}.
std::vector<std::string> clauses_named(std::string_view precondition);
bool is_precision_name(std::string_view name);

/// The reason for exclusion ("needs sm_90", "needs the clause precision(tf32|half)"), or nullopt if not
/// excluded. An empty architecture excludes nothing.
std::optional<std::string> why_excluded(const model::Strategy &strategy, std::string_view architecture,
                                        spec::PrecisionKind precision);

}  // namespace cupilot::strategy
