// SPDX-License-Identifier: Apache-2.0
//
// The bodies of kernels, and of the unit's functions that they call -> facts about what they do. They are
// good guesses about usual code: unusual code is missed, and nothing is promised.

#pragma once

#include <span>

#include "annotate/spec/code_facts.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace cupilot {

/// Of all of `kernels` together: functions or instantiations of templates.
CodeFacts code_facts_of(std::span<const clang::FunctionDecl *const> kernels, clang::ASTContext &context);

}  // namespace cupilot
