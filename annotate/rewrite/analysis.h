// SPDX-License-Identifier: Apache-2.0
//
// Questions that the rules ask about a kernel's syntax. The answers are conservative: code that is not
// recognised gives the answer that makes a rule refuse.

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
/// The first node in source order for which `fits` is true, or null.
const Node *find(const Node &tree, const std::function<bool(const Node &)> &fits);

/// The node without integer casts around it.
const Node &bare(const Node &node);
/// Whether both are the same expression: equal structure over the same variables.
bool same(const Node &a, const Node &b);
bool is_name(const Node &node, int variable);
bool mentions(const Node &tree, int variable);
/// The name, subscript, member or `*` that the node writes (=, ++, --) or whose address it takes; null if
/// none.
const Node *written_lvalue(const Node &node);
/// The first place where `variable` itself is written or its address is taken, or null.
const Node *assigned(const Node &tree, int variable);
/// Whether a loop or a branch after the variable's declaration in `scope` writes it.
bool assigned_inside(const Node &scope, int variable);
/// The variable an lvalue or pointer expression starts from, -1 when there is none.
int root_variable(const Node &node);
bool is_integer_constant(const Node &node, std::int64_t value);

/// Whether the node is `blockIdx.d * blockDim.d + threadIdx.d` in any order. If a constant stands in place of
/// blockDim.d, it is stored in `block`.
bool is_global_index(const Node &node, char dimension, std::optional<std::int64_t> &block);
/// Whether the node is `gridDim.d * blockDim.d`.
bool is_total_threads(const Node &node, char dimension);
/// Whether the node consists of parameters, constants and arithmetic only, so that launch() can evaluate it
/// too.
bool host_expression(const Kernel &kernel, const Node &node);

/// The first place of each kind where a tree does more than arithmetic on its own variables; null if none.
struct Effects {
  const Node *coordinate = nullptr;  ///< threadIdx and the like, also in called functions
  const Node *collective = nullptr;  ///< barriers, shuffles, votes, fences
  const Node *lanes = nullptr;       ///< of these, what lanes of a warp do together
  const Node *atomic = nullptr;
  const Node *shared = nullptr;
  const Node *opaque = nullptr;  ///< assembly, lambdas, output, calls with unknown effects
  const Node *volatile_access = nullptr;
  const Node *write = nullptr;  ///< a write to memory that others can see
  const Node *read = nullptr;
};
Effects effects_of(const Kernel &kernel, const Node &tree);

/// The first call, in the kernel's own text, of a function that uses thread coordinates, or null.
const Node *coordinate_call(const Kernel &kernel, const Node &tree);

/// The reason why a rule refuses.
struct Obstacle {
  std::string reason;
  int line = 0;
};
inline std::unexpected<Obstacle> obstacle(std::string reason, int line) {
  return std::unexpected(Obstacle{std::move(reason), line});
}
/// Why the threads of this kernel cannot be moved to other blocks or lanes (collectives, shared memory,
/// opaque code), or nullopt.
std::optional<Obstacle> cooperation(const Effects &effects);

/// False when the language or the user's `__restrict__` guarantees that the two pointers do not overlap.
bool may_overlap(const Variable &a, const Variable &b);
/// Whether the elements can be moved several at a time and held in registers.
bool fits_vector(const Type &pointer);

}  // namespace cupilot::rewrite
