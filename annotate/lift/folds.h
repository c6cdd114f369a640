// SPDX-License-Identifier: Apache-2.0
//
// Which assignments are folds, and how the iterations of a loop depend on each other. Pure.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "annotate/spec/lifted.h"

namespace cupilot::lift {

struct Fold {
  std::string op;  ///< as in spec::StatementKind::fold
  spec::Expr value;
  bool keeps_nan = false;  ///< as in spec::Statement
};

/// "max" or "min" of the functions that give the larger or smaller of two, "fma", or nothing.
std::string op_of_call(const std::string &function);
/// `name = value` as a fold of `name`: `m + e`, `fmaxf(m, e)`, `e > m ? e : m`. Of a choice, NaN must leave
/// `name` as it is: `m > e ? m : e` takes a NaN over, so that the order of iterations matters, and is one
/// only where the user promises that there is no NaN (`finite`).
std::optional<Fold> fold_of(const std::string &name, const spec::Expr &value, bool finite = false);
/// `if (condition) name = value;` as a fold.
std::optional<Fold> fold_of_choice(const std::string &name, const spec::Expr &condition,
                                   const spec::Expr &value);
/// `t = v; u = t + e; v = u`, where nothing else looks at any of them, is a fold of `v`, as where a function
/// takes a sum and returns it with one term more.
void join_steps(std::vector<spec::Statement> &body);
/// A loop's kind by what its body does; and why it is in order, for people.
struct LoopOrder {
  spec::LoopKind kind = spec::LoopKind::independent;
  std::string why;
};
/// What is known of the iterations. `in_turn`: one thread does one after the other, so that two may write the
/// same element; what one counter writes may only be seen once others are taken apart. `threads`: they have
/// no order in the kernel either. `known`: as these, and no counter will be taken apart any more.
enum class Iterations { in_turn, threads, known };
LoopOrder order_of(const spec::Statement &loop, Iterations how = Iterations::in_turn);

}  // namespace cupilot::lift
