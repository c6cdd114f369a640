// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the reasons that a developer reads.

#pragma once

#include <cstdio>
#include <string>

namespace cupilot {

/// "3.2e-08": how large something is, for a sentence.
inline std::string figure(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

}  // namespace cupilot
