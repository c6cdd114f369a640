// SPDX-License-Identifier: Apache-2.0
//
// A question as one text, for those who get no more than that.

#pragma once

#include <string>

#include "evolution/provider/provider.h"

namespace cupilot {

/// The prefix, then the prompt, the latter on a line of its own.
inline std::string whole_prompt(const RoleRequest &request) {
  const bool parted = request.prefix.empty() || request.prefix.ends_with('\n');
  return request.prefix + (parted ? "" : "\n") + request.prompt;
}

}  // namespace cupilot
