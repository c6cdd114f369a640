// SPDX-License-Identifier: Apache-2.0
//
// Finds macros that reach beyond the variant, and preprocessor conditions that may have another value when
// the judge compiles the variant than when the launcher does.

#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

/// `in_slice` tells whether the kernel's own source has a name: the judge and the build give it the same
/// meaning.
std::vector<StaticFinding> macro_findings(std::span<const CodeToken> tokens,
                                          std::span<const spec::Parameter> parameters,
                                          const std::function<bool(const std::string &)> &in_slice);

/// The macros that bring assembly where they are used, by themselves or through another macro.
std::set<std::string> assembly_macros(std::span<const CodeToken> tokens);

}  // namespace cupilot::judge::screen
