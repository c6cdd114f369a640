// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/display_path.h"

#include <filesystem>

namespace cupilot {

std::string display_path(const std::string &path, const std::string &root) {
  // Three levels up is still the same project; more is some other place of this machine.
  constexpr int kMostLevelsUp = 3;
  const auto relative = std::filesystem::path(path).lexically_relative(root);
  int up = 0;
  for (const auto &part : relative) up += part == "..";
  return relative.empty() || up > kMostLevelsUp ? path : relative.generic_string();
}

}  // namespace cupilot
