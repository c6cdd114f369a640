// SPDX-License-Identifier: Apache-2.0

#include "annotate/rewrite/twin_bytes.h"

#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>
#include <string>

#include "annotate/rewrite/twin_edits.h"
#include "annotate/rewrite/twin_numbers.h"

namespace cupilot::rewrite::twin {

using namespace clang;

namespace {

/// The name of the first variable with narrow numbers in an expression, for messages.
std::string named_in(const Stmt *expression) {
  const ValueDecl *found = nullptr;
  if (const auto *use = dyn_cast<DeclRefExpr>(expression)) found = use->getDecl();
  if (const auto *use = dyn_cast<MemberExpr>(expression)) found = use->getMemberDecl();
  if (found && !isa<FunctionDecl>(found) && numbers_of(target_of(found->getType())).narrow())
    return in_quotes(found->getNameAsString());
  for (const Stmt *child : expression->children()) {
    if (!child) continue;
    if (std::string name = named_in(child); !name.empty()) return name;
  }
  return "";
}

void refuse_bytes(SourceLocation place, const Expr &of, TwinEdits &edits) {
  const std::string name = named_in(&of);
  edits.refuse(place,
               fmt::format("the bytes of {} are read as another type", name.empty() ? "a number" : name));
}

/// The operand of a cast, without intermediate casts to `void *`.
const Expr &before_casts(const Expr &operand) {
  const Expr *expression = operand.IgnoreParenImpCasts();
  while (const auto *cast = dyn_cast<ExplicitCastExpr>(expression)) {
    if (!cast->getType()->isVoidPointerType()) break;
    expression = cast->getSubExpr()->IgnoreParenImpCasts();
  }
  return *expression;
}

/// Refuses floating data that is read as something else. A cast to a pointer to scalars counts only if it is
/// dereferenced at once (`read`); otherwise it may point to other data behind the floats.
void look_at(const ExplicitCastExpr &cast, bool read, TwinEdits &edits) {
  if (cast.getCastKind() != CK_BitCast && cast.getCastKind() != CK_LValueBitCast) return;
  const QualType to = cast.getTypeAsWritten();
  const Expr &operand = before_casts(*cast.getSubExpr());
  if (!to->isPointerType() && !to->isReferenceType()) return;
  const QualType target = to->isPointerType() ? to->getPointeeType() : to.getNonReferenceType();
  const QualType source =
      to->isPointerType() ? target_of_one(operand.getType()) : operand.getType().getNonReferenceType();
  if (source.isNull() || target->isDependentType() || source->isDependentType()) return;
  if (target->isVoidType() || source->isVoidType()) return;
  const Numbers from = numbers_of(source), into = numbers_of(target);
  const bool whole = read || to->isReferenceType() || target->isRecordType();
  const bool taken_apart =
      from.narrow() && !into.narrow() && (into.other || into.wide) && whole && !target->isPointerType();
  const bool regrouped = from.sixteen() && into.single;
  const bool made = into.narrow() && !from.narrow() && (read || to->isReferenceType()) &&
                    source->isScalarType() && !source->isAnyCharacterType() && !source->isPointerType();
  if (taken_apart || regrouped) refuse_bytes(cast.getBeginLoc(), operand, edits);
  if (made) edits.refuse(cast.getBeginLoc(), "the bytes of a number are read as a float");
}

}  // namespace

void look_at_read(const Expr &pointer, TwinEdits &edits) {
  const Expr *expression = pointer.IgnoreParenImpCasts();
  while (const auto *sum = dyn_cast<clang::BinaryOperator>(expression)) {
    if (!sum->isAdditiveOp()) return;
    expression =
        (sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS())->IgnoreParenImpCasts();
  }
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression)) look_at(*cast, true, edits);
}

void look_at_cast(const ExplicitCastExpr &cast, TwinEdits &edits) {
  look_at(cast, false, edits);
}

void look_at_copy(const CallExpr &call, TwinEdits &edits) {
  const Expr &to = before_casts(*call.getArg(0)), &from = before_casts(*call.getArg(1));
  const QualType target = target_of_one(to.getType()), source = target_of_one(from.getType());
  if (target.isNull() || source.isNull() || target->isDependentType() || source->isDependentType()) return;
  const Numbers into = numbers_of(target), of = numbers_of(source);
  const auto untyped = [](QualType type) { return type->isVoidType() || type->isAnyCharacterType(); };
  if (into.narrow() != of.narrow() && !untyped(target) && !untyped(source))
    refuse_bytes(call.getBeginLoc(), of.narrow() ? from : to, edits);
}

}  // namespace cupilot::rewrite::twin
