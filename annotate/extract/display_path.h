// SPDX-License-Identifier: Apache-2.0
//
// Paths as records store them: relative to the record root when below or near it, so that they are valid in
// any checkout.

#pragma once

#include <string>

namespace cupilot::extract {

std::string display_path(const std::string &path, const std::string &root);

}  // namespace cupilot::extract
