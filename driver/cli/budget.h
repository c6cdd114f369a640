// SPDX-License-Identifier: Apache-2.0
//
// `--budget "30 min, 200 candidates"`: how long a search may take, as people write it.

#pragma once

#include <string_view>

#include "annotate/support/result.h"
#include "evolution/search/tune.h"

namespace cupilot::cli {

/// Parts separated by commas: a number and `s`, `min`, `h` or `candidates`. What is not said stays as it is
/// in `from`.
Result<Budget> parse_budget(std::string_view text, Budget from = {});

}  // namespace cupilot::cli
