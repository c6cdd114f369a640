// SPDX-License-Identifier: Apache-2.0
//
// Checks whether the type of a parameter can hold a number of a clause.

#pragma once

#include <optional>
#include <string>

#include "annotate/directive/expression.h"
#include "annotate/spec/kernel_spec.h"

namespace cupilot::directive {

/// The value as an integer; nothing for 0.5 or 1e30.
std::optional<std::int64_t> as_whole(const Value &value);

/// Why the scalar parameter cannot hold the value: "4294967296 does not fit 'int'". Empty when it can.
std::string misfit(const Value &value, const spec::Parameter &parameter);

}  // namespace cupilot::directive
