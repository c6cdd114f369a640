// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace cupilot::extract {

/// Clang's own headers: the copy installed with this program, else that of the Clang it was built with.
std::string resource_folder();

}  // namespace cupilot::extract
