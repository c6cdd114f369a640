// SPDX-License-Identifier: Apache-2.0
//
// The part of the static check that examines what asks for the version of the compiler, of the toolkit or of
// the language, and whether assertions are on. The judge builds with one of each, and later builds of a
// program with others, so code that depends on them was judged on one side only.

#pragma once

#include <span>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

/// Fine is what cannot make a build do something else: an #error, a #pragma, and a macro that is `inline` or
/// `__forceinline__`, say, in each branch.
std::vector<StaticFinding> version_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
