// SPDX-License-Identifier: Apache-2.0
//
// <<<grid, block, shared>>> as written on the host -> expressions over the kernel's parameters, by matching
// the host's argument expressions. Constants are folded, once-initialised variables and one-line helpers
// followed; whatever else is refused with the reason.

#pragma once

#include <expected>
#include <set>
#include <string>

#include "annotate/spec/kernel_spec.h"

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
class FunctionDecl;
class VarDecl;
}  // namespace clang

namespace cupilot {

/// `changing`: variables that may be written after their initialisation.
std::expected<LaunchShape, std::string> launch_shape(const clang::CUDAKernelCallExpr &launch,
                                                     const clang::FunctionDecl &kernel,
                                                     const std::set<const clang::VarDecl *> &changing,
                                                     clang::ASTContext &context);

}  // namespace cupilot
