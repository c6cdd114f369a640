// SPDX-License-Identifier: Apache-2.0
//
// What one thread of a block holds in a variable or in an element of shared memory while threads cooperate.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "annotate/spec/lifted.h"
#include "annotate/spec/lifted_fields.h"

namespace cupilot::lift {

/// The fold of the shares of some threads: the sum, say, of what they contribute.
struct Share {
  int partial = -1;           ///< which reduction: an index into Lifter's list
  std::vector<bool> members;  ///< by thread
  /// What the fold went on from and that is the same in all threads, if it is set.
  spec::Expr base{};
  bool base_last = false;  ///< the user has written it behind
  bool operator==(const Share &) const = default;
};
/// Nothing is known: never written, or no fold of shares.
struct Unknown {
  bool operator==(const Unknown &) const = default;
};
using Element = std::variant<Unknown, std::int64_t, spec::Expr, Share>;

/// By thread.
using Spread = std::vector<Element>;
using Mask = std::vector<bool>;

/// An array in shared memory: what was last written to each element, by its index as if there were one
/// dimension.
struct SharedArray {
  std::vector<std::int64_t> extents;  ///< empty: sized at launch
  std::map<std::int64_t, Element> elements;
};

/// A reduction whose shares threads hold.
struct Partial {
  std::string name, type, op;
  /// What a thread contributes, over its index; unset: a loop over data has made it.
  spec::Expr value;
  bool written = false;  ///< the total: a loop that is written already folds it
};

/// `a op b` of integers, if C++ defines it.
std::optional<std::int64_t> computed(const std::string &op, std::int64_t a, std::int64_t b);
bool is_shuffle(const std::string &name);

}  // namespace cupilot::lift
