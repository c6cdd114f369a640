// SPDX-License-Identifier: Apache-2.0
//
// The part of the static check that examines attributes: `__attribute__((...))` and `[[...]]`. Some of them
// run code when a library is loaded, replace functions, or hide code from those who watch what is executed
// (no_sanitize_coverage), so only those that are listed here may stand in a variant.

#pragma once

#include <span>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

std::vector<StaticFinding> attribute_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
