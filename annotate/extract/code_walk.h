// SPDX-License-Identifier: Apache-2.0
//
// One walk over kernels and the functions they call. It collects assignments, array accesses, comparisons and
// loop headers, each with the loops around it, and notes the facts that a single expression or name shows.
// The other facts are derived from these lists in code_facts.cpp.

#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "annotate/extract/expressions.h"
#include "annotate/spec/code_facts.h"

namespace clang {
class FunctionDecl;
}  // namespace clang

namespace cupilot::extract::facts {

using Kernels = std::span<const clang::FunctionDecl *const>;
using Variables = std::set<const VarDecl *>;

enum class Change { set, add, multiply, other };

struct Assigned {
  const VarDecl *target = nullptr;
  Change change = Change::set;
  const Expr *value = nullptr;
  std::optional<Access> element = std::nullopt;  ///< the written element, unless `target` itself is written
  const Expr *condition = nullptr;
  int loop = 0, depth = 0;
  bool in_header = false;  ///< in the header of a loop
  bool is_argument = false;
};

/// The result of the walk. The parameters of a called function count as variables that are assigned the
/// arguments.
struct Found {
  std::vector<Assigned> assigned;
  std::vector<Access> accesses;
  std::vector<Operation> comparisons;
  std::vector<const Expr *> headers;  ///< everything in the parentheses of loops
  Variables steps;                    ///< variables stepped in a loop header: `++i`
  std::map<int, Variables> changed;   ///< variables that change in a loop and in its inner loops, by loop
  spec::CodeFacts facts;
};

Found walk_kernels(Kernels kernels, clang::ASTContext &context);

}  // namespace cupilot::extract::facts
