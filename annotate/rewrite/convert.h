// SPDX-License-Identifier: Apache-2.0
//
// From Clang's AST to the plain tree. Included by parse.cpp only.

#pragma once

#include <string>

#include "annotate/rewrite/syntax.h"
#include "annotate/support/result.h"

namespace clang {
class FunctionDecl;
}

namespace cupilot::rewrite {

/// Fails when the kernel's body holds something Clang could not read.
Result<Kernel> convert_kernel(const clang::FunctionDecl &function, const std::string &source);

}  // namespace cupilot::rewrite
