// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/display_path.h"

#include <filesystem>

namespace cupilot::extract {

std::string display_path(const std::string &path, const std::string &root) {
  // Up to three levels up counts as the same project; anything further away stays absolute.
  constexpr int kMostLevelsUp = 3;
  const auto relative = std::filesystem::path(path).lexically_relative(root);
  int up = 0;
  for (const auto &part : relative) up += part == "..";
  return relative.empty() || up > kMostLevelsUp ? path : relative.generic_string();
}

}  // namespace cupilot::extract
