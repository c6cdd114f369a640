// SPDX-License-Identifier: Apache-2.0
//
// What of the settings makes a search another one: the policy's own options and who answers each role.

#pragma once

#include <string>

#include "evolution/provider/providers.h"
#include "evolution/search/tune.h"

namespace cupilot {

/// One "name=value" a line; empty for policies of rules alone. A run of other options is another run.
std::string run_options(const TuneSettings &settings, const Providers &providers);

}  // namespace cupilot
