// SPDX-License-Identifier: Apache-2.0
//
// Converts Clang's AST to the plain tree of syntax.h. Only parse.cpp includes this header.

#pragma once

#include <string>

#include "annotate/rewrite/syntax.h"
#include "annotate/support/result.h"

namespace clang {
class FunctionDecl;
}

namespace cupilot::rewrite {

/// Fails when the kernel's body contains something that Clang could not parse.
Result<Kernel> convert_kernel(const clang::FunctionDecl &function, const std::string &source);

}  // namespace cupilot::rewrite
