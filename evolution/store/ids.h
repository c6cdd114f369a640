// SPDX-License-Identifier: Apache-2.0
//
// Lists of row ids stored in one column: "4 5 9". Private to evolution/store.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::store {

std::string ids_to_text(const std::vector<std::int64_t> &ids);
Result<std::vector<std::int64_t>> ids_from_text(std::string_view text);

}  // namespace cupilot::store
