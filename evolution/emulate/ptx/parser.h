// SPDX-License-Identifier: Apache-2.0
//
// PTX text to a Module. Everything syntactically well-formed is accepted, known instruction or not; debug
// sections are skipped. Scopes, registers and labels are resolved here.

#pragma once

#include <string>

#include "annotate/support/result.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::ptx {

/// An error reads "<name>:line:column: what is wrong"; the text may hold any bytes and have any length.
Result<Module> parse(std::string text, const std::string &name);

}  // namespace cupilot::ptx
