// SPDX-License-Identifier: Apache-2.0
//
// The slice's own code is promoted where it is written. Instantiations of templates are visited too, because
// only they show the types in a cast or a call.
#include "annotate/rewrite/twin_promoter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "annotate/directive/source_lexer.h"
#include "annotate/rewrite/twin_bytes.h"
#include "annotate/rewrite/twin_names.h"
#include "annotate/rewrite/twin_numbers.h"

namespace cupilot::rewrite::twin {
namespace {

using namespace clang;

class Promoter : public RecursiveASTVisitor<Promoter> {
public:
  Promoter(ASTContext &context, const spec::KernelSpec &spec, const std::string &text, Findings &out)
      : context_(context),
        spec_(spec),
        out_(out),
        edits_(context, spec, text, out),
        names_(context, edits_) {}
  Promoter(const Promoter &) = delete;  // names_ refers to edits_

  void run() {
    for (Decl *declaration : context_.getTraversalScope())
      if (edits_.is_ours(declaration->getLocation())) TraverseDecl(declaration);
  }

  /// Clang drops code that it does not understand. After an error, no word that would be promoted may be left
  /// over.
  void look_for_forgotten_words(const std::string &error) {
    for (const directive::RawToken &token : directive::lex_source(edits_.text()).tokens) {
      const std::string word = edits_.text().substr(token.begin, token.end - token.begin);
      const bool number = word.size() > 1 && (word.ends_with('f') || word.ends_with('F')) &&
                          !word.starts_with("0x") && word.find_first_of("0123456789") < 2;
      const bool narrow = token.identifier ? word == "float" || names_.twin_of(word) : number;
      if (!narrow || edits_.is_replaced(token.begin)) continue;
      const SourceLocation place = context_.getSourceManager()
                                       .getLocForStartOfFile(context_.getSourceManager().getMainFileID())
                                       .getLocWithOffset(static_cast<SourceLocation::IntTy>(token.begin));
      edits_.refuse(place,
                    fmt::format("'{}' has no counterpart in double that Clang could find: {}", word, error));
    }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitBuiltinTypeLoc(BuiltinTypeLoc type) {
    const auto kind = type.getTypePtr()->getKind();
    if (kind == BuiltinType::Float) promote_type(type.getBuiltinLoc(), "double");
    if (kind == BuiltinType::Double) out_.wide = true;
    const bool extension =
        kind == BuiltinType::Half || kind == BuiltinType::Float16 || kind == BuiltinType::BFloat16;
    if (extension)
      edits_.refuse(type.getBuiltinLoc(),
                    in_quotes(type.getType().getAsString()) + " has no counterpart in double");
    return true;
  }

  bool VisitTypedefTypeLoc(TypedefTypeLoc type) {
    names_.use_type(*type.getTypePtr()->getDecl(), type.getNameLoc(), type.getQualifierLoc(), type.getType());
    return true;
  }
  bool VisitUsingTypeLoc(UsingTypeLoc type) {
    names_.use_type(*type.getTypePtr()->getDecl()->getTargetDecl(), type.getNameLoc(), type.getQualifierLoc(),
                    type.getType());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc type) {
    names_.use_type(*type.getDecl(), type.getNameLoc(), type.getQualifierLoc(), type.getType());
    return true;
  }

  bool VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc type) {
    const TemplateDecl *named = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (!named || edits_.is_ours(named->getLocation())) return true;
    if (names_.is_matrix(*named)) names_.refuse_matrix(type.getTemplateNameLoc());
    if (named->getName() != "numeric_limits" || type.getNumArgs() != 1) return true;
    const TemplateArgument argument = type.getArgLoc(0).getArgument();
    if (argument.getKind() != TemplateArgument::Type) return true;
    const Numbers numbers = numbers_of(argument.getAsType());
    if (numbers.sixteen())
      edits_.refuse(type.getTemplateNameLoc(),
                    "'numeric_limits' of a 16-bit type has no counterpart in double");
    if (numbers.single) {
      edits_.replace(begin_of(type.getQualifierLoc(), type.getTemplateNameLoc()), type.getRAngleLoc(),
                     "cupilot_float_limits");
      out_.single = true;
    }
    return true;
  }

  bool VisitFloatingLiteral(FloatingLiteral *literal) {
    if (!numbers_of(literal->getType()).narrow()) return true;
    if (!edits_.is_written_here(literal->getLocation())) {
      edits_.widen_macro(literal->getLocation());
      return true;
    }
    std::string digits = edits_.token_at(literal->getLocation());
    if (!digits.ends_with('f') && !digits.ends_with('F')) return true;
    digits.pop_back();
    edits_.replace(literal->getLocation(), literal->getLocation(), digits);
    out_.single = true;
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    const auto *callee = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (!callee || !callee->getDecl()->getIdentifier()) return true;
    const llvm::StringRef name = callee->getDecl()->getName();
    const bool constant = (name == "__int_as_float" || name == "__uint_as_float") &&
                          call->getNumArgs() == 1 &&
                          isa<IntegerLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    if (constant && edits_.is_written_here(call->getBeginLoc()) &&
        edits_.is_written_here(call->getEndLoc())) {
      constants_.insert(callee);
      const auto [begin, end] = edits_.range(call->getBeginLoc(), call->getEndLoc());
      edits_.put(begin, end, fmt::format("static_cast<double>({})", edits_.text().substr(begin, end - begin)),
                 call->getBeginLoc());
      out_.single = true;
    }
    if ((name == "memcpy" || name == "__builtin_memcpy") && call->getNumArgs() == 3)
      look_at_copy(*call, edits_);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *use) {
    const auto *function = dyn_cast<FunctionDecl>(use->getDecl());
    if (function && !constants_.contains(use))
      names_.use_function(*function, use->getLocation(), use->getQualifierLoc());
    return true;
  }

  /// A call in a template. Which overload it means depends on the instantiation, but all have the same name.
  bool VisitUnresolvedLookupExpr(UnresolvedLookupExpr *use) {
    const bool has_none = use->decls_begin() == use->decls_end();
    const bool global = std::ranges::any_of(use->decls(), [&](const NamedDecl *found) {
      return names_.is_promoted_function(*found->getUnderlyingDecl());
    });
    const bool unknown = has_none && !use->getQualifier() && names_.twin_of(use->getName().getAsString());
    if (global || unknown)
      names_.rename(use->getName().getAsString(), use->getNameLoc(), use->getQualifierLoc(), false);
    return true;
  }

  /// An overload that the user adds to a library function.
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (isTemplateExplicitInstantiationOrSpecialization(function->getTemplateSpecializationKind()) &&
        function->getTemplateSpecializationKind() != TSK_ExplicitSpecialization)
      edits_.drop_explicit_instantiation(function->getPointOfInstantiation());
    if (!function->isTemplateInstantiation() && names_.is_promoted_function(*function))
      names_.rename(function->getNameAsString(), function->getLocation(), {}, false);
    return true;
  }

  bool VisitCXXRecordDecl(CXXRecordDecl *record) {
    if (!record->isUnion() || !record->isThisDeclarationADefinition() || record->isDependentContext())
      return true;
    const Numbers numbers = numbers_in(*record);
    if (numbers.narrow() && numbers.mixed())
      edits_.refuse(record->getBeginLoc(), "a union may read the bits of a float");
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *assembly) {
    bool floating = !is_harmless_assembly(assembly->getAsmString());
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i)
      floating |= assembly->getOutputConstraint(i).find('f') != std::string::npos ||
                  numbers_of(assembly->getOutputExpr(i)->getType()).narrow();
    for (unsigned i = 0; i < assembly->getNumInputs(); ++i)
      floating |= assembly->getInputConstraint(i).find('f') != std::string::npos ||
                  numbers_of(assembly->getInputExpr(i)->getType()).narrow();
    if (floating)
      edits_.refuse(assembly->getAsmLoc(),
                    "inline assembly on floating-point data has no counterpart in double");
    return true;
  }

  /// Code that Clang could not resolve, such as a call.
  bool VisitRecoveryExpr(RecoveryExpr *recovery) {
    for (const Expr *part : recovery->subExpressions())
      if (numbers_of(target_of(part->getType())).narrow())
        edits_.refuse(recovery->getBeginLoc(), in_quotes(edits_.token_at(recovery->getBeginLoc())) +
                                                   " has no counterpart in double that Clang could find");
    return true;
  }

  bool VisitBuiltinBitCastExpr(BuiltinBitCastExpr *cast) {
    if (numbers_of(cast->getType()).narrow() || numbers_of(cast->getSubExpr()->getType()).narrow())
      edits_.refuse(cast->getBeginLoc(), "'__builtin_bit_cast' reads the bits of a number");
    return true;
  }

  bool VisitExplicitCastExpr(ExplicitCastExpr *cast) {
    look_at_cast(*cast, edits_);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (operation->getOpcode() == UO_Deref) look_at_read(*operation->getSubExpr(), edits_);
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *subscript) {
    look_at_read(*subscript->getBase(), edits_);
    return true;
  }

  /// Checks the kernel's own parameters in the variable behind the slice.
  bool VisitVarDecl(VarDecl *variable) {
    if (!variable->getIdentifier() || variable->getName() != kKernel) return true;
    const auto *type = variable->getType()->getPointeeType()->getAs<FunctionProtoType>();
    for (unsigned i = 0; type && i < type->getNumParams() && i < spec_.parameters.size(); ++i) {
      const auto *record = target_of(type->getParamType(i))->getAsCXXRecordDecl();
      const spec::Parameter &parameter = spec_.parameters[i];
      if (!record || !parameter.pointer || !numbers_of(context_.getCanonicalTagType(record)).narrow())
        continue;
      if (edits_.is_ours(record->getLocation()) || !record->getIdentifier() ||
          !names_.twin_of(record->getName().str()))
        out_.refusals[0] = fmt::format("'{}' holds '{}', whose members cannot be widened", parameter.name,
                                       parameter.element_type);
    }
    return true;
  }

private:
  void promote_type(SourceLocation place, const std::string &name) {
    edits_.replace(place, place, name);
    out_.single = true;
  }

  ASTContext &context_;
  const spec::KernelSpec &spec_;
  Findings &out_;
  TwinEdits edits_;
  TwinNames names_;
  std::set<const DeclRefExpr *> constants_;  ///< callees of calls that are constants
};

}  // namespace

void promote(ASTContext &context, const spec::KernelSpec &spec, const std::string &text,
             const std::string &error, Findings &out) {
  Promoter promoter(context, spec, text, out);
  promoter.run();
  if (!error.empty()) promoter.look_for_forgotten_words(error);
}

}  // namespace cupilot::rewrite::twin
