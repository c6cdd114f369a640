// SPDX-License-Identifier: Apache-2.0
//
// Promotes names: types, functions and constants of the library become those that the prelude declares for
// them (annotate/spec/twin_prelude.h), or are refused.

#pragma once

#include <clang/AST/NestedNameSpecifier.h>
#include <clang/AST/Type.h>
#include <clang/Basic/SourceLocation.h>
#include <string>

#include "annotate/rewrite/twin_edits.h"

namespace clang {
class Decl;
class NamedDecl;
}  // namespace clang

namespace cupilot::rewrite::twin {

class TwinNames {
public:
  TwinNames(const clang::ASTContext &context, TwinEdits &edits) : context_(context), edits_(edits) {}

  /// The prelude's declaration for a name of the library, or null.
  const clang::NamedDecl *twin_of(const std::string &word) const;
  /// Whether this is a library function with a twin, or the user's overload of one.
  bool is_promoted_function(const clang::NamedDecl &declaration) const;
  /// Whether the library declares this in the namespace of the matrix instructions.
  bool is_matrix(const clang::Decl &declaration) const;
  void refuse_matrix(clang::SourceLocation place);

  /// `::sqrtf` becomes `::cupilot_twin_sqrtf`. A namespace in front of the name is removed.
  void rename(const std::string &name, clang::SourceLocation place, clang::NestedNameSpecifierLoc qualifier,
              bool sixteen);
  /// A type with a name of its own where it is used.
  void use_type(const clang::NamedDecl &declaration, clang::SourceLocation place,
                clang::NestedNameSpecifierLoc qualifier, clang::QualType type);
  void use_function(const clang::FunctionDecl &function, clang::SourceLocation place,
                    clang::NestedNameSpecifierLoc qualifier);

private:
  bool is_of_second_part(const clang::NamedDecl &twin) const;

  const clang::ASTContext &context_;
  TwinEdits &edits_;
};

/// Where a name with its qualifier begins.
clang::SourceLocation begin_of(clang::NestedNameSpecifierLoc qualifier, clang::SourceLocation name);

}  // namespace cupilot::rewrite::twin
