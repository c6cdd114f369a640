// SPDX-License-Identifier: Apache-2.0
//
// The part of the static check that looks at directives and characters: what would make the tokens we see
// other than those the compiler sees.

#pragma once

#include <span>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot {

std::vector<StaticFinding> preprocessor_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot
