// SPDX-License-Identifier: Apache-2.0
//
// Role `strategist`: which of the retrieved strategies to try on this kernel, best first.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"
#include "evolution/model/strategy.h"
#include "evolution/provider/provider.h"

namespace cupilot {

struct StrategistQuestion {
  std::string kernel;
  std::set<std::string> features;
  std::string roofline_class;        ///< empty: not measured yet
  std::vector<Strategy> strategies;  ///< retrieved; the answer chooses among them
};

RoleRequest strategist_request(const StrategistQuestion &question);

/// Ids, best first; one that was not asked about, or a second mention, is an error.
Result<std::vector<std::string>> parse_strategist_answer(std::string_view content,
                                                         const std::vector<Strategy> &asked);

}  // namespace cupilot
