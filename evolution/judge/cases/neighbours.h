// SPDX-License-Identifier: Apache-2.0
//
// Which other values to try around a workload: pure choice of numbers; cases.h evaluates them and drops what
// is not legal. Only names that the workload sets to a plain number are varied: `set(n = rows*cols)` follows
// its parts. Sizes go up, down, to small and prime numbers and to nothing at all; other numbers change too,
// so that `alpha = 1, beta = 0` cannot be left out of a variant.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

struct Neighbour {
  std::string suffix;  ///< "rows-1", "small-2", "prime", "empty", "scalars"
  std::map<std::string, std::int64_t> values{};
  std::map<std::string, double> reals{};
};

/// A name that the workload sets to a plain integer and that decides how much work there is.
struct ShapeName {
  std::string name;
  std::int64_t value = 0;
  bool in_grid = false;  ///< the launch's grid depends on it: how many blocks, not how long each
};
std::vector<ShapeName> shape_names_of(const KernelSpec &spec, const Workload &workload);

/// One more and one less of each name alone, or of all together: large workloads have fewer neighbours of
/// their size.
enum class Steps { single, together };

/// The most telling first: whoever has room for few takes the head.
std::vector<Neighbour> neighbours_of(const KernelSpec &spec, const Workload &workload, Steps steps,
                                     std::uint64_t seed);

}  // namespace cupilot
