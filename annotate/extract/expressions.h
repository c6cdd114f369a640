// SPDX-License-Identifier: Apache-2.0
//
// Reads single expressions of CUDA code as code_facts.cpp and code_walk.cpp use them: operations, variables,
// thread coordinates, calls and accesses to arrays. It knows nothing of the statements around an expression.

#pragma once

#include <clang/AST/OperationKinds.h>
#include <llvm/ADT/StringRef.h>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Expr;
class VarDecl;
}  // namespace clang

namespace cupilot::extract::facts {

using clang::Expr;
using clang::VarDecl;
using Code = clang::BinaryOperatorKind;
using Names = std::set<llvm::StringRef>;

/// Functions that return the maximum or minimum of their arguments.
extern const Names kFolds;

/// The expression without parentheses, casts, temporaries and copies.
const Expr *bare(const Expr *expression);

/// `a op b` on numbers or on a class with overloaded operators, `+=` included.
struct Operation {
  Code code;
  const Expr *left, *right;
};
std::optional<Operation> operation_of(const Expr *expression);
bool is_product(const std::optional<Operation> &operation);
bool is_sum(const std::optional<Operation> &operation);
bool compares(const Operation &operation);

const VarDecl *variable_of(const Expr *expression);
bool is_constant(const Expr *expression, const clang::ASTContext &context);

struct Coordinate {
  llvm::StringRef object, axis;  ///< "threadIdx", "x"
};
std::optional<Coordinate> coordinate_of(const Expr *expression);

/// The name of the called function, even if it is not declared anywhere.
std::string callee_of(const Expr *expression, const clang::ASTContext &context);
bool calls_one_of(const Expr *expression, const Names &names, const clang::ASTContext &context);

/// Visits `expression` and every expression below it. Returning false from `visit` skips the expressions
/// below.
void for_each(const Expr *expression, const std::function<bool(const Expr *)> &visit);
bool any(const Expr *expression, const std::function<bool(const Expr *)> &fits);
bool mentions(const Expr *expression, const VarDecl *variable);

/// A key that is the same for equal expressions, regardless of casts and parentheses.
std::string text_of(const Expr *expression);

/// `array[i][j]`, `*(array + i)`, `__ldg(array + i)`.
struct Access {
  const VarDecl *array = nullptr;  ///< null when the accessed object is not a variable
  std::vector<const Expr *> indices;
  int loop = 0;
};
std::optional<Access> access_of(const Expr *expression, const clang::ASTContext &context);
/// All accesses in an expression, those in the indices of an access before the access itself.
std::vector<Access> accesses_in(const Expr *expression, const clang::ASTContext &context);

/// The variable that a pointer expression starts from. Offsets added on the way are appended to `indices`.
const VarDecl *base_of(const Expr *pointer, std::vector<const Expr *> &indices);

}  // namespace cupilot::extract::facts
