// SPDX-License-Identifier: Apache-2.0
//
// Parses PTX text into a Module. All syntactically valid text is accepted, even if an instruction is unknown.
// Debug sections are skipped. Scopes, registers and labels are resolved here.

#pragma once

#include <string>

#include "annotate/support/result.h"
#include "evolution/emulate/ptx/module.h"

namespace cupilot::emulate::ptx {

/// An error reads "<name>:line:column: what is wrong"; the text may hold any bytes and have any length.
Result<Module> parse(std::string text, const std::string &name);

}  // namespace cupilot::emulate::ptx
