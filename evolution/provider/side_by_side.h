// SPDX-License-Identifier: Apache-2.0
//
// Questions answered in threads, told in the caller's. Private to evolution/provider.

#pragma once

#include <functional>
#include <vector>

#include "evolution/provider/provider.h"

namespace cupilot {

/// `one` is called in at most `parallel` threads at a time, in the order of the requests, `arrived` in this
/// one as soon as an answer is there.
void answer_side_by_side(const std::vector<RoleRequest> &requests, int parallel,
                         const std::function<ProviderAnswer(const RoleRequest &)> &one,
                         const Provider::Arrived &arrived);

}  // namespace cupilot
