// SPDX-License-Identifier: Apache-2.0
//
// Finds text that compilers read in different ways, or differently from what a reader sees: trigraphs, line
// continuations inside of a word, control characters, digraphs, letters of other alphabets in names.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

/// `tokens` are those of `text`.
std::vector<StaticFinding> lexical_findings(std::string_view text, std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
