// SPDX-License-Identifier: Apache-2.0
//
// A record's assumptions as C++ for the dispatcher. A record is input: what becomes source is made of the
// expression's tokens anew, and only when the grammar of the directives takes them.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "annotate/support/result.h"

namespace cupilot::launcher {

/// The value of parameter number i, as the code of conditions calls it.
std::string condition_parameter(std::size_t index);

/// `n % 4 == 0` -> code of type cupilot::detail::Number, in which names are condition_parameter(). An error:
/// it does not parse, or names something that is no parameter.
Result<std::string> condition_code(std::string_view expression, const std::vector<std::string> &parameters);

/// Numbers of the parameters it mentions.
std::vector<std::size_t> condition_parameters(std::string_view expression,
                                              const std::vector<std::string> &parameters);

}  // namespace cupilot::launcher
