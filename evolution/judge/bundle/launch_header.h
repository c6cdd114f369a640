// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cupilot {

/// The text of cupilot/launch.cuh, carried in the program so that a bundle can be written from anywhere.
std::string_view launch_header();

}  // namespace cupilot
