// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/expressions.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <algorithm>
#include <cstdint>
#include <iterator>

namespace cupilot::extract::facts {
namespace {

using clang::Stmt;

const Names kCachedLoads{"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"};

}  // namespace

const Names kFolds{"fmaxf", "fmax", "max", "fminf", "fmin", "min", "__hmax", "__hmin"};

const Expr *bare(const Expr *expression) {
  while (true) {
    const Expr *inner = expression->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(inner); made && made->getNumArgs() == 1)
      inner = made->getArg(0);
    if (const auto *constant = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(inner))
      inner = constant->getReplacement();
    if (inner == expression) return inner;
    expression = inner;
  }
}

std::optional<Operation> operation_of(const Expr *expression) {
  if (const auto *plain = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return Operation{plain->getOpcode(), plain->getLHS(), plain->getRHS()};
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!call || call->getNumArgs() != 2 || call->getOperator() == clang::OO_Subscript) return std::nullopt;
  if (!call->isInfixBinaryOp() && !call->isAssignmentOp()) return std::nullopt;
  return Operation{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                   call->getArg(1)};
}

bool is_product(const std::optional<Operation> &operation) {
  return operation && operation->code == clang::BO_Mul;
}

bool is_sum(const std::optional<Operation> &operation) {
  return operation && (operation->code == clang::BO_Add || operation->code == clang::BO_Sub);
}

bool compares(const Operation &operation) {
  return operation.code == clang::BO_LT || operation.code == clang::BO_GT || operation.code == clang::BO_LE ||
         operation.code == clang::BO_GE;
}

const VarDecl *variable_of(const Expr *expression) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(bare(expression));
  return name ? llvm::dyn_cast<VarDecl>(name->getDecl()) : nullptr;
}

bool is_constant(const Expr *expression, const clang::ASTContext &context) {
  return !expression->isValueDependent() && expression->isEvaluatable(context);
}

std::optional<Coordinate> coordinate_of(const Expr *expression) {
  const Expr *base = nullptr;
  llvm::StringRef axis;
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expression))
    if (const auto *property = llvm::dyn_cast<clang::MSPropertyRefExpr>(pseudo->getSyntacticForm())) {
      base = property->getBaseExpr();
      axis = property->getPropertyDecl()->getName();
    }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression);
      member && member->getMemberDecl()->getIdentifier()) {
    base = member->getBase();
    axis = member->getMemberDecl()->getName();
  }
  if (const auto *opaque = llvm::dyn_cast_or_null<clang::OpaqueValueExpr>(base))
    base = opaque->getSourceExpr();
  const VarDecl *object = base ? variable_of(base) : nullptr;
  if (!object || !object->getIdentifier()) return std::nullopt;
  const llvm::StringRef name = object->getName();
  if (name != "threadIdx" && name != "blockIdx") return std::nullopt;
  return Coordinate{name, axis};
}

std::string callee_of(const Expr *expression, const clang::ASTContext &context) {
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    if (const auto *function = call->getDirectCallee()) return function->getNameAsString();
    if (const auto *lookup = llvm::dyn_cast<clang::OverloadExpr>(call->getCallee()->IgnoreParenImpCasts()))
      return lookup->getName().getAsString();
  }
  if (!llvm::isa<clang::CallExpr, clang::RecoveryExpr>(expression)) return "";
  const auto &sources = context.getSourceManager();
  const auto place = sources.getSpellingLoc(expression->getBeginLoc());
  return clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(place, place), sources,
                                     context.getLangOpts())
      .str();
}

bool calls_one_of(const Expr *expression, const Names &names, const clang::ASTContext &context) {
  return llvm::isa<clang::CallExpr, clang::RecoveryExpr>(expression) &&
         names.contains(callee_of(expression, context));
}

void for_each(const Expr *expression, const std::function<bool(const Expr *)> &visit) {
  expression = bare(expression);
  if (!visit(expression)) return;
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expression); pseudo) return;
  for (const Stmt *child : expression->children())
    if (const auto *below = llvm::dyn_cast_or_null<Expr>(child)) for_each(below, visit);
}

bool any(const Expr *expression, const std::function<bool(const Expr *)> &fits) {
  bool found = false;
  for_each(expression, [&](const Expr *one) { return !(found = found || fits(one)); });
  return found;
}

bool mentions(const Expr *expression, const VarDecl *variable) {
  return any(expression, [&](const Expr *one) { return variable_of(one) == variable; });
}

std::string text_of(const Expr *expression) {
  expression = bare(expression);
  if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return std::to_string(reinterpret_cast<std::uintptr_t>(name->getDecl()));
  if (const auto place = coordinate_of(expression)) return (place->object + "." + place->axis).str();
  // Not getStmtClassName(): its table is filled at the first call, and a second thread may read it half
  // filled.
  std::string text = std::to_string(expression->getStmtClass());
  if (const auto *number = llvm::dyn_cast<clang::IntegerLiteral>(expression))
    text += llvm::toString(number->getValue(), 10, false);
  if (const auto *number = llvm::dyn_cast<clang::FloatingLiteral>(expression))
    text += std::to_string(number->getValueAsApproximateDouble());
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expression))
    text += std::to_string(reinterpret_cast<std::uintptr_t>(member->getMemberDecl()));
  if (const auto operation = operation_of(expression)) text += std::to_string(operation->code);
  text += "(";
  for (const Stmt *child : expression->children())
    if (const auto *below = llvm::dyn_cast_or_null<Expr>(child)) text += text_of(below) + ",";
  return text + ")";
}

const VarDecl *base_of(const Expr *pointer, std::vector<const Expr *> &indices) {
  pointer = bare(pointer);
  if (const auto operation = operation_of(pointer); operation && is_sum(operation)) {
    const bool left = !operation->left->getType()->isIntegralOrEnumerationType();
    indices.push_back(left ? operation->right : operation->left);
    return base_of(left ? operation->left : operation->right, indices);
  }
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(pointer)) {
    const VarDecl *array = base_of(subscript->getBase(), indices);
    indices.push_back(subscript->getIdx());
    return array;
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(pointer);
      unary && (unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Deref))
    return base_of(unary->getSubExpr(), indices);
  if (const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(pointer);
      call && call->getOperator() == clang::OO_Subscript) {
    const VarDecl *array = base_of(call->getArg(0), indices);
    indices.push_back(call->getArg(1));
    return array;
  }
  return variable_of(pointer);
}

std::optional<Access> access_of(const Expr *expression, const clang::ASTContext &context) {
  Access access;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
      call && call->getNumArgs() == 1 && calls_one_of(expression, kCachedLoads, context)) {
    access.array = base_of(call->getArg(0), access.indices);
    return access;
  }
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
  const auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!llvm::isa<clang::ArraySubscriptExpr>(expression) &&
      !(unary && unary->getOpcode() == clang::UO_Deref) &&
      !(call && call->getOperator() == clang::OO_Subscript))
    return std::nullopt;
  access.array = base_of(expression, access.indices);
  return access;
}

std::vector<Access> accesses_in(const Expr *expression, const clang::ASTContext &context) {
  std::vector<Access> all;
  for_each(expression, [&](const Expr *one) {
    if (auto access = access_of(one, context)) {
      for (const Expr *index : access->indices) {
        auto inner = accesses_in(index, context);
        std::ranges::move(inner, std::back_inserter(all));
      }
      all.push_back(std::move(*access));
      return false;
    }
    return true;
  });
  return all;
}

}  // namespace cupilot::extract::facts
