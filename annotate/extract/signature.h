// SPDX-License-Identifier: Apache-2.0
//
// One kernel, or one instantiation of it, as names and types that mean the same outside of Clang.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace cupilot {

std::vector<Parameter> parameters_of(const clang::FunctionDecl &kernel, const clang::ASTContext &context);

/// "ns::k", anonymous namespaces left out.
std::string qualified_name_of(const clang::FunctionDecl &kernel);
/// Outermost first, "" for an anonymous one; inline namespaces are named like others.
std::vector<std::string> namespaces_of(const clang::FunctionDecl &kernel);

/// "k" or "k<float, 128>".
std::string instantiation_of(const clang::FunctionDecl &kernel, const clang::ASTContext &context);
/// Lambdas and types of a function's body cannot be named at namespace scope.
bool can_be_named(const clang::FunctionDecl &kernel);

std::string symbol_of(const clang::FunctionDecl &kernel, clang::ASTContext &context);

/// `template __global__ void k<float, 128>(...);` inside its namespaces; empty for plain functions.
std::string explicit_instantiation(const clang::FunctionDecl &kernel, const clang::ASTContext &context);

/// Letters, digits, `_ . -` only: "reduce<float, 128>" -> "reduce.float.128".
std::string folder_safe(const std::string &name);

}  // namespace cupilot
