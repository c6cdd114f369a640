// SPDX-License-Identifier: Apache-2.0
//
// Estimates of a verdict: rows of their own tables. Private to evolution/store.

#pragma once

#include <cstdint>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"
#include "evolution/store/connection.h"

namespace cupilot {

Result<void> add_estimate(const Connection &connection, std::int64_t verdict, const Estimate &estimate);
Result<std::vector<Estimate>> read_estimates(const Connection &connection, std::int64_t verdict);

}  // namespace cupilot
