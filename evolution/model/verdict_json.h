// SPDX-License-Identifier: Apache-2.0
//
// `{"cupilot_verdict":1,...}`; it keeps all samples, so that the statistics can be recomputed.

#pragma once

#include <string>
#include <string_view>

#include "annotate/support/result.h"
#include "evolution/model/verdict.h"

namespace cupilot::model {

std::string to_json(const Verdict &verdict);
Result<Verdict> verdict_from_json(std::string_view text);

}  // namespace cupilot::model
