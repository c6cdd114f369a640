// SPDX-License-Identifier: Apache-2.0
//
// Names and types of one kernel, or of one instantiation of it, spelled so that they are valid outside Clang.

#pragma once

#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace clang {
class ASTContext;
class FunctionDecl;
}  // namespace clang

namespace cupilot::extract {

std::vector<spec::Parameter> parameters_of(const clang::FunctionDecl &kernel,
                                           const clang::ASTContext &context);

/// "ns::k"; anonymous namespaces are left out.
std::string qualified_name_of(const clang::FunctionDecl &kernel);
/// The enclosing namespaces, outermost first. An anonymous one is ""; inline namespaces are listed like
/// others.
std::vector<std::string> namespaces_of(const clang::FunctionDecl &kernel);

/// "k" or "k<float, 128>".
std::string instantiation_of(const clang::FunctionDecl &kernel, const clang::ASTContext &context);
/// False when a template argument is a lambda or a local type, which has no name at namespace scope.
bool can_be_named(const clang::FunctionDecl &kernel);

std::string symbol_of(const clang::FunctionDecl &kernel, clang::ASTContext &context);

/// `template __global__ void k<float, 128>(...);` inside its namespaces; empty for plain functions.
std::string explicit_instantiation(const clang::FunctionDecl &kernel, const clang::ASTContext &context);

/// Replaces all characters but letters, digits and `_ . -`: "reduce<float, 128>" -> "reduce.float.128".
std::string folder_safe(const std::string &name);

}  // namespace cupilot::extract
