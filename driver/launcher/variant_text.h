// SPDX-License-Identifier: Apache-2.0
//
// What a variant may not have, because it would reach out of the namespace it is put into and into the user's
// link. The judge refuses the same, and more; this is for variants that no judge has seen.

#pragma once

#include <string>
#include <string_view>

namespace cupilot::launcher {

/// "line 7 has a ..."; empty when there is nothing of the kind.
std::string variant_problem(std::string_view text);

}  // namespace cupilot::launcher
