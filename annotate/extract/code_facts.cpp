// SPDX-License-Identifier: Apache-2.0
//
// Derives the facts from what the walk (code_walk.h) collected. Expressions are read by expressions.h, and
// variable_uses.h tells what the variables contain.

#include "annotate/extract/code_facts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "annotate/extract/variable_uses.h"

namespace cupilot::extract::facts {
namespace {

const Names kFused{"fma", "fmaf", "__fmaf_rn", "__fma_rn", "__hfma", "__hfma2"};

class Teller {
public:
  Teller(Found found, Kernels kernels, const clang::ASTContext &context)
      : found_(std::move(found)), uses_(found_, kernels, context), facts_(found_.facts), context_(context) {}
  Teller(const Teller &) = delete;  // uses_ refers to found_

  spec::CodeFacts tell() {
    for (const Assigned &one : found_.assigned)
      if (!one.element) look_at_definition(one);
    for (const Access &one : found_.accesses) look_at_access(one);
    for (const Assigned &one : found_.assigned) look_at_loop(one);
    for (const Assigned &one : found_.assigned) look_at_rest(one);
    facts_.is_stencil = std::ranges::any_of(offsets_, [](const auto &one) { return one.second.size() > 1; });
    for (const Expr *header : found_.headers) facts_.has_loaded_bounds |= uses_.is_loaded(header);
    for (const Operation &one : found_.comparisons)
      facts_.compares_indices |= uses_.is_index(one.left) && uses_.is_index(one.right);
    return facts_;
  }

private:
  /// Handles `const float *row = x + r * n`.
  void look_at_definition(const Assigned &one) {
    if (one.change != Change::set || !one.target->getType()->isPointerType()) return;
    std::vector<const Expr *> indices;
    if (!base_of(one.value, indices) || is_subscript(one.value)) return;
    for (const Expr *index : indices) {
      facts_.has_rows |= has_product(index);
      facts_.is_strided |= uses_.stride_of(index) == Stride::more;
      if (!one.is_argument) pointers_.insert(one.target);
    }
  }
  /// `const float *row = rows[i]` is a load, not a pointer with an offset.
  static bool is_subscript(const Expr *value) { return llvm::isa<clang::ArraySubscriptExpr>(bare(value)); }

  static bool has_product(const Expr *expression) {
    return any(expression, [](const Expr *one) { return is_product(operation_of(one)); });
  }
  static bool has_sum(const Expr *expression) {
    return any(expression, [](const Expr *one) { return is_sum(operation_of(one)); });
  }

  void look_at_access(const Access &one) {
    for (std::size_t d = 0; d < one.indices.size(); ++d) {
      const Expr *index = bare(one.indices[d]);
      facts_.has_rows |= has_product(index) && has_sum(index);
      facts_.is_strided |= uses_.is_parameter(one.array) && uses_.stride_of(index) == Stride::more;
      facts_.has_window |= is_window(index);
      facts_.has_strided_loop |= (uses_.is_parameter(one.array) || pointers_.contains(one.array)) &&
                                 any(index, [&](const Expr *part) { return is_multiplied_step(part); });
      facts_.gathers |= uses_.is_loaded(index);
      if (const auto offset = operation_of(index); offset && is_sum(offset))
        offsets_[{one.array, std::to_string(d) + text_of(offset->left)}].insert(offset->code);
    }
  }
  /// `r * n`, where r is the index of a loop.
  bool is_multiplied_step(const Expr *expression) const {
    const auto operation = operation_of(expression);
    return operation && is_product(operation) &&
           (uses_.loops_over(variable_of(operation->left)) ||
            uses_.loops_over(variable_of(operation->right)));
  }

  /// `i + k`, where both advance by one and at least one of them is the index of a loop.
  bool is_window(const Expr *index) const {
    return any(index, [&](const Expr *one) {
      if (!is_sum(operation_of(one))) return false;
      Variables moving;
      bool sliding = false;
      add_terms(one, moving, sliding);
      return sliding && moving.size() > 1;
    });
  }
  void add_terms(const Expr *expression, Variables &moving, bool &sliding) const {
    expression = bare(expression);
    if (const auto operation = operation_of(expression); operation && is_sum(operation)) {
      add_terms(operation->left, moving, sliding);
      if (operation->code == clang::BO_Add) add_terms(operation->right, moving, sliding);
    } else if (const VarDecl *variable = variable_of(expression)) {
      if (uses_.slides(variable) || uses_.stride_of(expression) == Stride::one) moving.insert(variable);
      sliding = sliding || uses_.slides(variable);
    }
  }

  void look_at_loop(const Assigned &one) {
    if (one.is_argument || one.in_header) return;
    facts_.stores |= one.element.has_value();
    if (one.depth == 0 || !one.target) return;
    if (adds_up(one)) {
      facts_.sums = true;
      running_[one.loop].insert(one.target);
      note_product(one);
    } else if (folds(one)) {
      facts_.folds = true;
      running_[one.loop].insert(one.target);
      if (one.condition) fold_conditions_.insert(one.condition);
    }
  }

  /// Handles facts that require all sums and folds to be known.
  void look_at_rest(const Assigned &one) {
    if (one.is_argument || one.in_header || one.depth == 0 || adds_up(one)) return;
    if (!one.element) {
      const VarDecl *place = variable_of(one.value);
      facts_.keeps_place |= place && one.change == Change::set && fold_conditions_.contains(one.condition) &&
                            !is_running(one) && uses_.loops_over(place);
    } else if (!folds(one)) {
      const auto running = running_.find(one.loop);
      facts_.scans |=
          running != running_.end() &&
          std::ranges::any_of(running->second, [&](const VarDecl *sum) { return mentions(one.value, sum); });
    }
  }
  bool is_running(const Assigned &one) const {
    const auto running = running_.find(one.loop);
    return running != running_.end() && running->second.contains(one.target);
  }

  /// Whether the assignment accumulates a sum. Indices and pointers that advance do not count, nor does an
  /// array of the kernel when every iteration changes another element.
  bool adds_up(const Assigned &one) const {
    if (!one.target || one.change == Change::other) return false;
    const bool again = mentions(one.value, one.target);
    if (one.change == Change::set && !(again && (is_sum_of(one.value) || is_fused(one.value)))) return false;
    if (one.element) return !uses_.is_parameter(one.target) || stays(one);
    const bool moves = uses_.is_in_indices(one.target) || one.target->getType()->isPointerType();
    return !moves && !is_constant(one.value, context_);
  }
  static bool is_sum_of(const Expr *value) {
    bool found = false;
    for_each(value, [&](const Expr *one) {
      found = found || is_sum(operation_of(one));
      return !found && !llvm::isa<clang::ArraySubscriptExpr>(one);
    });
    return found;
  }
  bool is_fused(const Expr *value) const { return calls_one_of(bare(value), kFused, context_); }
  /// Whether every iteration of the innermost loop changes the same element.
  bool stays(const Assigned &one) const {
    const auto changed = found_.changed.find(one.loop);
    if (changed == found_.changed.end() || !one.element) return true;
    return std::ranges::none_of(one.element->indices, [&](const Expr *index) {
      return any(index, [&](const Expr *part) { return changed->second.contains(variable_of(part)); });
    });
  }

  /// `m = fmaxf(m, x)`, `m = x > m ? x : m`, `if (x > m) m = x`.
  bool folds(const Assigned &one) const {
    if (!one.target || one.change != Change::set) return false;
    const Expr *value = bare(one.value);
    if (calls_one_of(value, kFolds, context_) && mentions(value, one.target)) return true;
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(value);
        choice && orders(choice->getCond(), one.target) && mentions(value, one.target))
      return true;
    return one.condition && orders(one.condition, one.target);
  }
  static bool orders(const Expr *condition, const VarDecl *variable) {
    return any(condition, [&](const Expr *one) {
      const auto operation = operation_of(one);
      return operation && compares(*operation) && mentions(one, variable);
    });
  }

  /// Elements of two arrays at different indices form a matrix product. Elements at the same index, or of a
  /// matrix and a vector, form an inner product.
  void note_product(const Assigned &one) {
    if (sums_a_product(one) && products_.insert(one.value).second) ++facts_.products;
    if (sums_a_product(one) && !one.element) facts_.product_depth = std::max(facts_.product_depth, one.depth);
    if (!has_product(one.value) && !is_fused(one.value)) return;
    std::vector<Access> factors = accesses_in(one.value, context_);
    std::erase_if(factors, [&](const Access &access) { return access.array == one.target; });
    for_each(one.value, [&](const Expr *part) {
      if (const VarDecl *variable = variable_of(part))
        if (const Access *load = uses_.load_of(variable)) factors.push_back(*load);
      return !access_of(part, context_);
    });
    if (factors.size() < 2 || factors[0].array == factors[1].array) return;
    facts_.multiplies = true;
    facts_.multiplies_rows |= index_text(factors[0]) != index_text(factors[1]) &&
                              std::ranges::any_of(factors[0].indices, has_product) &&
                              std::ranges::any_of(factors[1].indices, has_product);
  }
  static std::string index_text(const Access &access) {
    std::string text;
    for (const Expr *index : access.indices) text += text_of(index) + "]";
    return text;
  }
  bool sums_a_product(const Assigned &one) const {
    return any(one.value, [&](const Expr *part) {
      if (calls_one_of(part, kFused, context_)) {
        const auto *call = llvm::dyn_cast<clang::CallExpr>(part);
        return call && call->getNumArgs() == 3 && are_factors(call->getArg(0), call->getArg(1), one.target);
      }
      const auto operation = operation_of(part);
      return operation && is_product(operation) &&
             are_factors(operation->left, operation->right, one.target) && !is_inside_index(part, one.value);
    });
  }
  bool is_inside_index(const Expr *part, const Expr *value) const {
    bool outside = false;
    for_each(value, [&](const Expr *one) {
      outside = outside || one == part;
      return !outside && !access_of(one, context_);
    });
    return !outside;
  }
  /// Whether the two differ, neither is a constant, and neither is the sum itself.
  bool are_factors(const Expr *left, const Expr *right, const VarDecl *target) const {
    const auto counts = [&](const Expr *side) {
      return !is_constant(side, context_) && !mentions(side, target);
    };
    return counts(left) && counts(right) && text_of(left) != text_of(right);
  }

  Found found_;
  VariableUses uses_;
  spec::CodeFacts facts_;
  const clang::ASTContext &context_;
  Variables pointers_;                ///< pointers that were set with an offset
  std::map<int, Variables> running_;  ///< variables that accumulate a sum, maximum or minimum, by loop
  std::set<const Expr *> fold_conditions_, products_;
  std::map<std::pair<const VarDecl *, std::string>, std::set<Code>> offsets_;  ///< + and -
};

}  // namespace
}  // namespace cupilot::extract::facts

namespace cupilot::extract {

spec::CodeFacts code_facts_of(std::span<const clang::FunctionDecl *const> kernels,
                              clang::ASTContext &context) {
  return facts::Teller(facts::walk_kernels(kernels, context), kernels, context).tell();
}

}  // namespace cupilot::extract
