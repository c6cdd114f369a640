// SPDX-License-Identifier: Apache-2.0
//
// Finds text whose meaning changes in the preprocessor or the assembler: macros that contain storage classes
// or attributes, pragmas in strings, strings that name files, and code that queries where it is compiled.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

std::vector<StaticFinding> hidden_text_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
