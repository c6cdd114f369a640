// SPDX-License-Identifier: Apache-2.0
//
// Questions the rules ask of a kernel's syntax. Every answer errs on the safe side: what is not recognised
// counts as the case that makes a rule refuse.

#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "annotate/rewrite/syntax.h"

namespace cupilot::rewrite {

void walk(const Node &tree, const std::function<void(const Node &)> &visit);
/// The first node in source order that fits, or null.
const Node *find(const Node &tree, const std::function<bool(const Node &)> &fits);

/// Without integer casts.
const Node &bare(const Node &node);
/// The same expression: equal structure over the same variables.
bool same(const Node &a, const Node &b);
bool is_name(const Node &node, int variable);
bool mentions(const Node &tree, int variable);
/// A name, subscript, member or `*` that is written: left of an assignment, ++/--, or its address taken.
const Node *written_lvalue(const Node &node);
/// Where `variable` itself is written or its address taken.
const Node *assigned(const Node &tree, int variable);
/// The variable an lvalue or pointer expression starts from, -1 when there is none.
int root_variable(const Node &node);
bool is_integer_constant(const Node &node, std::int64_t value);

/// `blockIdx.d * blockDim.d + threadIdx.d` in any order; a constant in place of blockDim.d is put into
/// `block`.
bool is_global_index(const Node &node, char dimension, std::optional<std::int64_t> &block);
/// `gridDim.d * blockDim.d`.
bool is_total_threads(const Node &node, char dimension);
/// Made of parameters, constants and arithmetic only, so that launch() can evaluate it too.
bool host_expression(const Kernel &kernel, const Node &node);

/// First places where a tree does something beyond arithmetic on its own variables; null where it does not.
struct Effects {
  const Node *coordinate = nullptr;  ///< threadIdx and the like, in a called function too
  const Node *collective = nullptr;  ///< barriers, shuffles, votes, fences
  const Node *atomic = nullptr;
  const Node *shared = nullptr;
  const Node *opaque = nullptr;  ///< assembler, lambdas, output, calls whose effects are unknown
  const Node *volatile_access = nullptr;
  const Node *write = nullptr;  ///< of memory others can see
  const Node *read = nullptr;
};
Effects effects_of(const Kernel &kernel, const Node &tree);

/// A call, in the kernel's own text, of a function that uses thread coordinates; null when there is none.
const Node *coordinate_call(const Kernel &kernel, const Node &tree);

/// Why a rule refuses.
struct Obstacle {
  std::string reason;
  int line = 0;
};
inline std::unexpected<Obstacle> obstacle(std::string reason, int line) {
  return std::unexpected(Obstacle{std::move(reason), line});
}
/// Why threads of this kernel cannot be moved to other blocks or lanes, or null: collectives, shared memory,
/// opaque.
std::optional<Obstacle> cooperation(const Effects &effects);

/// False where the language or the user's `__restrict__` says that two pointers' memory is not the same.
bool may_overlap(const Variable &a, const Variable &b);
/// Elements that can be moved several at a time and held in a register.
bool fits_vector(const Type &pointer);

}  // namespace cupilot::rewrite
