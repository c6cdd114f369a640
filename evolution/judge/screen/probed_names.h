// SPDX-License-Identifier: Apache-2.0
//
// The part of the static check that finds questions about the program around a variant: whether it has a type
// or a function of some name. The judge compiles the variant with a slice of that program, which may not have
// them. A type is named with its key (`struct Particle`) without being defined; a call that nothing is known
// of stands where it is never made (`decltype(elements(p))`), so that it may be there or not.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "evolution/judge/screen/lexer.h"
#include "evolution/judge/screen/static_check.h"

namespace cupilot::judge::screen {

/// `in_slice`: whether the kernel's slice has the name.
std::vector<StaticFinding> probed_name_findings(std::span<const CodeToken> tokens,
                                                const std::function<bool(const std::string &)> &in_slice);

}  // namespace cupilot::judge::screen
