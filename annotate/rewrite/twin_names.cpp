// SPDX-License-Identifier: Apache-2.0

#include "annotate/rewrite/twin_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <algorithm>

#include "annotate/rewrite/twin_numbers.h"

namespace cupilot::rewrite::twin {

using namespace clang;

namespace {

constexpr const char *kTwin = "cupilot_twin_";

bool is_global(const Decl &declaration) {
  const DeclContext *scope = declaration.getDeclContext()->getRedeclContext();
  return scope->isTranslationUnit() || scope->isStdNamespace();
}

/// Whether the library has an overload for double.
bool has_wide_overload(const FunctionDecl &function) {
  const auto overloads = function.getDeclContext()->lookup(function.getDeclName());
  return std::ranges::any_of(overloads, [](const NamedDecl *other) {
    const auto *overload = dyn_cast<FunctionDecl>(other->getUnderlyingDecl());
    return overload && has_wide_signature(*overload);
  });
}

}  // namespace

SourceLocation begin_of(NestedNameSpecifierLoc qualifier, SourceLocation name) {
  return qualifier ? qualifier.getBeginLoc() : name;
}

const NamedDecl *TwinNames::twin_of(const std::string &word) const {
  const auto found = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get(kTwin + word));
  return found.empty() || edits_.is_ours(found.front()->getLocation()) ? nullptr : found.front();
}

/// The second part of the prelude begins with the declaration of its type cupilot_narrow.
bool TwinNames::is_of_second_part(const NamedDecl &twin) const {
  const auto narrow = context_.getTranslationUnitDecl()->lookup(&context_.Idents.get("cupilot_narrow"));
  return !narrow.empty() && context_.getSourceManager().isBeforeInTranslationUnit(
                                narrow.front()->getLocation(), twin.getLocation());
}

bool TwinNames::is_promoted_function(const NamedDecl &declaration) const {
  if (!isa<FunctionDecl, FunctionTemplateDecl>(declaration) || !declaration.getIdentifier() ||
      !is_global(declaration) || !twin_of(declaration.getName().str()))
    return false;
  if (!edits_.is_ours(declaration.getLocation())) return true;
  const auto overloads = context_.getTranslationUnitDecl()->lookup(declaration.getDeclName());
  return std::ranges::any_of(overloads, [&](const NamedDecl *other) {
    return isa<FunctionDecl, FunctionTemplateDecl>(other) && !edits_.is_ours(other->getLocation());
  });
}

bool TwinNames::is_matrix(const Decl &declaration) const {
  for (const auto *scope = declaration.getDeclContext(); scope; scope = scope->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(scope); space && space->getName() == "wmma")
      return !edits_.is_ours(space->getLocation());
  return false;
}

void TwinNames::refuse_matrix(SourceLocation place) {
  edits_.refuse(place, "'wmma': matrix instructions have no counterpart in double");
}

void TwinNames::rename(const std::string &name, SourceLocation place, NestedNameSpecifierLoc qualifier,
                       bool sixteen) {
  const bool in_namespace =
      qualifier && qualifier.getNestedNameSpecifier().getKind() != NestedNameSpecifier::Kind::Global;
  edits_.replace(in_namespace ? qualifier.getBeginLoc() : place, place, kTwin + name);
  const NamedDecl *twin = twin_of(name);
  edits_.out().sixteen |= sixteen || (twin && is_of_second_part(*twin));
}

void TwinNames::use_type(const NamedDecl &declaration, SourceLocation place, NestedNameSpecifierLoc qualifier,
                         QualType type) {
  if (!declaration.getIdentifier() || edits_.is_ours(declaration.getLocation()) ||
      !declaration.getDeclContext()->getRedeclContext()->isFileContext())
    return;
  const std::string name = declaration.getName().str();
  if (is_matrix(declaration)) refuse_matrix(place);
  if (holds_bits_of_floats(name)) edits_.refuse(place, in_quotes(name) + " has no counterpart in double");
  const Numbers numbers = numbers_of(type);
  if (!numbers.narrow()) return;
  if (twin_of(name)) {
    rename(name, place, qualifier, numbers.sixteen());
  } else if (type->isSpecificBuiltinType(BuiltinType::Float)) {
    edits_.replace(begin_of(qualifier, place), place, "double");
  } else {
    edits_.refuse(place, in_quotes(name) + " has no counterpart in double");
  }
  edits_.out().single |= numbers.single;
}

void TwinNames::use_function(const FunctionDecl &function, SourceLocation place,
                             NestedNameSpecifierLoc qualifier) {
  const bool ours = edits_.is_ours(function);
  if (!ours && is_matrix(function)) return refuse_matrix(place);
  if (!function.getIdentifier() || isa<CXXMethodDecl>(function)) return;
  const bool narrow = has_narrow_signature(function);
  if (!edits_.is_written_here(place)) {
    if (!ours && narrow) edits_.widen_macro(place);
    return;
  }
  if (is_promoted_function(function)) {
    rename(function.getNameAsString(), place, qualifier, false);
    edits_.out().single |= narrow;
    return;
  }
  if (ours || !narrow) return;
  if (function.getName() == "bit_cast") return edits_.refuse(place, "'bit_cast' reads the bits of a number");
  if (!function.isTemplateInstantiation() && !has_wide_overload(function))
    edits_.refuse(place, why_no_counterpart(function.getName()));
}

}  // namespace cupilot::rewrite::twin
