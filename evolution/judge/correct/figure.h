// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers for reasons that a developer reads.

#pragma once

#include <fmt/format.h>

#include <string>

namespace cupilot::judge::correct {

/// Two significant digits: "3.2e-08".
inline std::string figure(double value) {
  return fmt::format("{:.2g}", value);
}

}  // namespace cupilot::judge::correct
