// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers for reasons that a developer reads.

#pragma once

#include <cstdio>
#include <string>

namespace cupilot {

/// Two significant digits: "3.2e-08".
inline std::string figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace cupilot
