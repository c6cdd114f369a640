// SPDX-License-Identifier: Apache-2.0
//
// Text that would be something else after the preprocessor or inside the assembler: macros that carry
// storage classes or attributes, pragmas in strings, strings that name files, code that asks where it is
// compiled.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot {

std::vector<StaticFinding> hidden_text_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot
