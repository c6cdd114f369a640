// SPDX-License-Identifier: Apache-2.0

#include "annotate/extract/variable_uses.h"

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <algorithm>

namespace cupilot::extract::facts {

VariableUses::VariableUses(const Found &found, Kernels kernels, const clang::ASTContext &context)
    : found_(found), context_(context) {
  for (const clang::FunctionDecl *kernel : kernels) add_arrays(*kernel);
  for (const Assigned &one : found_.assigned)
    if (one.target && !one.element) values_[one.target].push_back(&one);
  for (const Access &one : found_.accesses)
    for (const Expr *index : one.indices) note_index(index);
  for (const Assigned &one : found_.assigned)
    if (!one.element) note_definition(one);
}

/// Uses the parameters of the definition, because those of a declaration are other variables.
void VariableUses::add_arrays(const clang::FunctionDecl &kernel) {
  const clang::FunctionDecl *definition = kernel.getDefinition();
  for (const clang::ParmVarDecl *parameter : (definition ? *definition : kernel).parameters())
    if (parameter->getType()->isPointerType()) arrays_.insert(parameter);
}

void VariableUses::note_index(const Expr *index) {
  for_each(index, [&](const Expr *one) {
    if (const VarDecl *variable = variable_of(one); variable && in_indices_.insert(variable).second)
      for (const Assigned *value : values_[variable])
        if (value->is_argument) note_index(value->value);
    return true;
  });
}

/// Handles `int row = ...` and `float a = A[i]`.
void VariableUses::note_definition(const Assigned &one) {
  if (one.in_header) loop_names_.insert(one.target);
  if (!one.is_argument && (one.in_header || !is_constant(one.value, context_))) varying_.insert(one.target);
  if (one.change != Change::set || one.target->getType()->isPointerType()) return;
  const std::vector<Access> loads = accesses_in(one.value, context_);
  if (loads.size() == 1 && !loads[0].indices.empty()) loaded_[one.target] = loads[0];
}

/// Collects the variables assigned to `pointer`, transitively.
void VariableUses::add_roots(const VarDecl *pointer, Variables &roots) const {
  if (!roots.insert(pointer).second || arrays_.contains(pointer)) return;
  const auto known = values_.find(pointer);
  if (known == values_.end()) return;
  for (const Assigned *one : known->second) {
    std::vector<const Expr *> indices;
    if (const VarDecl *base = one->change == Change::set ? base_of(one->value, indices) : nullptr)
      add_roots(base, roots);
  }
}

/// The kernel parameters that a pointer may come from.
const Variables &VariableUses::parameters_of(const VarDecl *array) const {
  const auto [known, fresh] = parameters_.try_emplace(array);
  if (!fresh) return known->second;
  Variables roots;
  if (array) add_roots(array, roots);
  std::erase_if(roots, [&](const VarDecl *one) { return !arrays_.contains(one); });
  return known->second = std::move(roots);
}

bool VariableUses::is_integer_parameter(const VarDecl *array) const {
  return std::ranges::any_of(parameters_of(array), [](const VarDecl *one) {
    return one->getType()->getPointeeType()->isIntegralOrEnumerationType();
  });
}

Stride VariableUses::stride_of(const Expr *expression) const {
  expression = bare(expression);
  if (const auto place = coordinate_of(expression))
    return place->object == "threadIdx" && place->axis == "x" ? Stride::one : Stride::none;
  if (const VarDecl *variable = variable_of(expression)) return stride_of_variable(variable);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
    return std::max(stride_of(choice->getTrueExpr()), stride_of(choice->getFalseExpr()));
  const auto operation = operation_of(expression);
  if (!operation) return Stride::none;
  const Stride left = stride_of(operation->left), right = stride_of(operation->right);
  switch (operation->code) {
    case clang::BO_Add:
    case clang::BO_Sub:
      return std::max(left, right);
    case clang::BO_Mul:
    case clang::BO_Shl:
      return left == Stride::none && right == Stride::none ? Stride::none : Stride::more;
    case clang::BO_Rem:
    case clang::BO_And:
      return left;
    default:
      return Stride::none;
  }
}

Stride VariableUses::stride_of_variable(const VarDecl *variable) const {
  const auto [known, fresh] = strides_.try_emplace(variable, Stride::none);
  const auto values = values_.find(variable);
  if (!fresh || values == values_.end() || variable->getType()->isPointerType()) return known->second;
  Stride stride = Stride::none;
  for (const Assigned *one : values->second)
    if (one->change == Change::set) stride = std::max(stride, stride_of(one->value));
  return known->second = stride;
}

bool VariableUses::is_index(const Expr *expression) const {
  expression = bare(expression);
  if (coordinate_of(expression)) return true;
  const VarDecl *variable = variable_of(expression);
  if (!variable) return false;
  if (varying_.contains(variable)) return in_indices_.contains(variable);
  const auto [known, fresh] = passed_indices_.try_emplace(variable, false);
  const auto values = values_.find(variable);
  if (!fresh || values == values_.end()) return known->second;
  return known->second = std::ranges::any_of(
             values->second, [&](const Assigned *one) { return one->is_argument && is_index(one->value); });
}

const Access *VariableUses::load_of(const VarDecl *variable) const {
  const auto load = loaded_.find(variable);
  return load == loaded_.end() ? nullptr : &load->second;
}

bool VariableUses::is_loaded(const Expr *expression) const {
  return any(expression, [&](const Expr *one) {
    if (const auto access = access_of(one, context_); access && !access->indices.empty())
      return is_integer_parameter(access->array);
    const VarDecl *variable = variable_of(one);
    const Access *load = variable ? load_of(variable) : nullptr;
    return load && is_integer_parameter(load->array);
  });
}

}  // namespace cupilot::extract::facts
