// SPDX-License-Identifier: Apache-2.0
//
// What the variables of a kernel contain, by the values that are assigned to them: which kernel parameter a
// pointer comes from, how a value changes from thread to thread, what is the index of a loop or is loaded
// from memory. code_facts.cpp derives facts from the answers.

#pragma once

#include <map>
#include <vector>

#include "annotate/extract/code_walk.h"

namespace cupilot::extract::facts {

/// The distance between the values in threads that are neighbours along x.
enum class Stride { none, one, more };

class VariableUses {
public:
  /// Keeps references to `found` and `context`.
  VariableUses(const Found &found, Kernels kernels, const clang::ASTContext &context);

  /// Whether a pointer may come from a parameter of the kernel, or from one to integers.
  bool is_parameter(const VarDecl *array) const { return !parameters_of(array).empty(); }
  bool is_integer_parameter(const VarDecl *array) const;

  Stride stride_of(const Expr *expression) const;

  /// Whether the variable is assigned in a loop header, and whether it also steps by one there.
  bool loops_over(const VarDecl *variable) const { return loop_names_.contains(variable); }
  bool slides(const VarDecl *variable) const {
    return loops_over(variable) && found_.steps.contains(variable);
  }

  /// Whether the variable occurs in the index of an access.
  bool is_in_indices(const VarDecl *variable) const { return in_indices_.contains(variable); }
  /// A thread coordinate, a varying variable that is used in indices, or a parameter that receives one.
  bool is_index(const Expr *expression) const;

  /// The array element that was assigned to the variable, or null.
  const Access *load_of(const VarDecl *variable) const;
  /// Whether the expression contains an element of an integer array or a variable loaded from one.
  bool is_loaded(const Expr *expression) const;

private:
  void add_arrays(const clang::FunctionDecl &kernel);
  void note_index(const Expr *index);
  void note_definition(const Assigned &one);
  void add_roots(const VarDecl *pointer, Variables &roots) const;
  const Variables &parameters_of(const VarDecl *array) const;
  Stride stride_of_variable(const VarDecl *variable) const;

  const Found &found_;
  const clang::ASTContext &context_;
  Variables arrays_;                                         ///< the kernel's pointer parameters
  mutable std::map<const VarDecl *, Variables> parameters_;  ///< by array
  mutable std::map<const VarDecl *, Stride> strides_;
  mutable std::map<const VarDecl *, bool> passed_indices_;
  std::map<const VarDecl *, std::vector<const Assigned *>> values_;
  Variables in_indices_, loop_names_, varying_;
  std::map<const VarDecl *, Access> loaded_;  ///< variables that were assigned one array element
};

}  // namespace cupilot::extract::facts
