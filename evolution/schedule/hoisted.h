// SPDX-License-Identifier: Apache-2.0
//
// What is the same for all iterations of a loop of rows that lie beside each other, computed before it: where
// the rows begin, and what their elements are divided by.

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::schedule {

/// Gives each access of the loop's rows a pointer to where the row begins, and what is left of its index.
class RowPointers {
public:
  /// `loop` outlives it; `suffix` tells its names from those of other loops.
  RowPointers(const spec::Statement &loop, std::string suffix) : loop_(loop), suffix_(std::move(suffix)) {}

  /// The pointer and the rest of the index; nullopt if the index is no sum of the two.
  std::optional<std::pair<std::string, spec::Expr>> split(const std::string &buffer, const spec::Expr &index);
  /// Lets the accesses of a loop, as it is to be written, go through the pointers.
  void use_in(spec::Statement &loop, const spec::KernelSpec &spec);
  /// Declares the pointers.
  std::string text() const;

private:
  const spec::Statement &loop_;
  std::string suffix_;
  std::vector<std::pair<std::string, std::string>> rows_;  ///< where each begins, and the pointer's name
};

/// What the elements of a loop are divided by, if it is the same for all of them, as it is written.
std::vector<std::string> divisors_of(const spec::Statement &loop);
/// Divides once, if the knob kInverse says so, by each of these: changes the loop and gives what comes before
/// it.
std::string invert(spec::Statement &loop);

}  // namespace cupilot::schedule
