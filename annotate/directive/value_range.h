// SPDX-License-Identifier: Apache-2.0
//
// Whether a number of a clause is one that a parameter's type can hold.

#pragma once

#include <optional>
#include <string>

#include "annotate/directive/expression.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// The integer a value is; nothing for 0.5 or 1e30.
std::optional<std::int64_t> as_whole(const Value &value);

/// Why the value does not fit the scalar parameter: "4294967296 does not fit 'int'"; empty when it does.
std::string misfit(const Value &value, const Parameter &parameter);

}  // namespace cupilot
