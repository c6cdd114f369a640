// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/bundle.h"

namespace cupilot::model {

std::string to_json(const Bundle &bundle);
Result<Bundle> bundle_from_json(std::string_view text);

}  // namespace cupilot::model
