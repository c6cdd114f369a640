// SPDX-License-Identifier: Apache-2.0
//
// Finds every place in the translation unit that names an annotated kernel outside its declaration. This
// covers all kinds of launches, including those that the swap cannot replace.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/extract/chunks.h"

namespace cupilot::extract {

struct FoundLaunch {
  const clang::FunctionDecl *kernel = nullptr;  ///< the launched instantiation
  spec::LaunchSite site;
  std::optional<spec::LaunchShape>
      shape;  ///< over the kernel's parameters; nullopt when it could not be inferred
  std::string no_shape_reason;
};

/// `kernels` are patterns, as in FunctionPlace::function.
std::vector<FoundLaunch> find_launches(const ParsedUnit &unit,
                                       const std::vector<const clang::FunctionDecl *> &kernels);

}  // namespace cupilot::extract
