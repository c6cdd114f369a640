// SPDX-License-Identifier: Apache-2.0
//
// What assume(...) may say of the data in a buffer: finite(x), or range(x, low, high). No launch can be
// tested for it; it is a promise, which the judge keeps to when it draws data.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "annotate/support/result.h"

namespace cupilot::directive {

struct DataAssumption {
  std::string parameter;
  bool ranged = false;       ///< range(...), which promises finite values as well
  double low = 0, high = 0;  ///< both inclusive
  std::size_t offset = 0;    ///< of the parameter in the text
};

/// nullopt: the text is a condition over scalars. The error is a message without a place.
Result<std::optional<DataAssumption>> read_data_assumption(std::string_view text);

/// nullopt also for what cannot be read.
std::optional<DataAssumption> data_assumption(std::string_view text);

}  // namespace cupilot::directive
