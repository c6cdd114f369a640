// SPDX-License-Identifier: Apache-2.0
//
// A lifted form as a sum of products of two operands: which axes are whose, and what an element of each is.

#pragma once

#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/schedule/schedule.h"

namespace cupilot::schedule {

struct Operand {
  spec::Expr element;                         ///< over the axes of outputs and of the sum
  std::vector<spec::Expr> conditions;         ///< where one does not hold, the term does not count
  std::vector<spec::Expr> zero_unless;        ///< where one does not hold, the factor is zero instead
  std::vector<const spec::Statement *> axes;  ///< of outputs, that only this operand has; slowest first
  bool along_sum = false;                     ///< its neighbours in memory lie along the sum
};

struct Contraction {
  std::string total, type;                     ///< the variable that is summed
  std::vector<const spec::Statement *> batch;  ///< axes of both operands or of none
  std::vector<const spec::Statement *> sum;    ///< the sum's axes, slowest first
  Operand left, right;                         ///< right: with the axis along which outputs lie together
  std::vector<spec::Statement> epilogue;       ///< what is done with the total

  /// Terms that count, of a sum that is not equally long for all outputs: first <= term < end, each over one
  /// axis of outputs, and nowhere less at a later place of it: `row + 1`, `row / 16 * 16`. The one axis of
  /// `sum` runs over those of all outputs.
  struct Bound {
    spec::Expr value;
    const spec::Statement *axis = nullptr;
    bool of_left = false, is_end = false;
  };
  std::vector<Bound> bounds;
  std::shared_ptr<const spec::Statement> own_sum;  ///< that axis, where the form has no such loop
};

/// Whether the value is nowhere less at a later place of the axis, as far as its text shows it.
bool is_nondecreasing(const spec::Expr &value, const std::string &axis);

/// A bound's value at a place of its axis.
spec::Expr at_place(const spec::Expr &value, const std::string &axis, const spec::Expr &place);

/// The form as a contraction, or why it is none. Points into `lifted`.
std::expected<Contraction, Refusal> contraction_of(const spec::Lifted &lifted);

}  // namespace cupilot::schedule
