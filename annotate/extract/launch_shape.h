// SPDX-License-Identifier: Apache-2.0
//
// Translates <<<grid, block, shared>>> in host code into expressions over the kernel's parameters, by
// matching the argument expressions of the launch. Constants are folded; variables that are initialised once
// and helper functions of one line are followed. Everything else is refused with the reason.

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

namespace cupilot::extract {

/// `changing` holds the variables that may be written after their initialisation.
std::expected<spec::LaunchShape, std::string> launch_shape(const clang::CUDAKernelCallExpr &launch,
                                                           const clang::FunctionDecl &kernel,
                                                           const std::set<const clang::VarDecl *> &changing,
                                                           clang::ASTContext &context);

}  // namespace cupilot::extract
