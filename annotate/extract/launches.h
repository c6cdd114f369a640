// SPDX-License-Identifier: Apache-2.0
//
// Every place of the unit that names an annotated kernel outside of its declaration: launches of all kinds,
// also those the swap cannot see.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/extract/chunks.h"

namespace cupilot {

struct FoundLaunch {
  const clang::FunctionDecl *kernel = nullptr;  ///< the instantiation that is launched
  LaunchSite site;
  std::optional<LaunchShape> shape;  ///< over the kernel's parameters, when it could be read
  std::string no_shape_reason;
};

/// `kernels` are patterns as in FunctionPlace.
std::vector<FoundLaunch> find_launches(const ParsedUnit &unit,
                                       const std::vector<const clang::FunctionDecl *> &kernels);

}  // namespace cupilot
