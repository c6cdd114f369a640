// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/resource_folder.h"

#include <filesystem>

#include "annotate/support/process.h"

namespace cupilot::extract {

std::string resource_folder() {
  const auto installed = own_folder().parent_path() / "lib/cupilot/clang";
  std::error_code ignored;
  if (std::filesystem::exists(installed / "include/stddef.h", ignored)) return installed.string();
  return CUPILOT_CLANG_RESOURCE_DIR;
}

}  // namespace cupilot::extract
