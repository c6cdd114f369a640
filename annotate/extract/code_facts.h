// SPDX-License-Identifier: Apache-2.0
//
// Derives facts about kernels from their bodies and from the functions of the translation unit that they
// call. The facts are heuristics for common code: uncommon code may be missed, and nothing is guaranteed.

#pragma once

#include <span>

#include "annotate/spec/code_facts.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace cupilot::extract {

/// The facts of all `kernels` together. These are functions or instantiations of templates.
spec::CodeFacts code_facts_of(std::span<const clang::FunctionDecl *const> kernels,
                              clang::ASTContext &context);

}  // namespace cupilot::extract
