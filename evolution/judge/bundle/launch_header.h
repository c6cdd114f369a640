// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cupilot::judge::bundle {

/// The text of cupilot/launch.cuh. It is embedded in the program, so no installed file is needed to write a
/// bundle.
std::string_view launch_header();

}  // namespace cupilot::judge::bundle
