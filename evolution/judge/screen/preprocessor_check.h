// SPDX-License-Identifier: Apache-2.0
//
// The part of the static check that examines directives and characters. It rejects everything that could make
// the compiler see other tokens than this check does.

#pragma once

#include <span>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

std::vector<StaticFinding> preprocessor_findings(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
