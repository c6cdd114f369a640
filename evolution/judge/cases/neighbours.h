// SPDX-License-Identifier: Apache-2.0
//
// Chooses values near those of a workload. cases.h evaluates them and drops illegal ones. Only names that the
// workload sets to a plain number are varied; `set(n = rows*cols)` follows its parts. Sizes go up, down, to
// small and prime numbers and to zero. Other numbers change too, to zero, the other sign and large values
// among others, so that a variant cannot ignore a parameter such as `alpha = 1` or `beta = 0` or be right for
// one sign only. Pure.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::judge::cases {

struct Neighbour {
  std::string suffix;  ///< "rows-1", "small-2", "prime", "empty", "scalars", "scalars-zero"
  std::map<std::string, std::int64_t> values{};
  std::map<std::string, double> reals{};
  std::vector<std::string> families{};  ///< what it is for shows with these data first of all
  bool once = false;                    ///< Case::once, with these families alone
};

/// A name that the workload sets to a plain integer and that determines the amount of work.
struct ShapeName {
  std::string name;
  std::int64_t value = 0;
  bool in_grid = false;  ///< it determines the grid: the number of blocks, not the work of each
};
/// Each integer name alone at each of the integers, and each floating scalar at each of the reals:
/// "cols=160".
std::vector<Neighbour> neighbours_at(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     const std::vector<std::int64_t> &integers,
                                     const std::vector<double> &reals);

std::vector<ShapeName> shape_names_of(const spec::KernelSpec &spec, const spec::Workload &workload);

/// Integer names that arguments depend on and the amount of work does not, without booleans.
std::vector<ShapeName> other_names_of(const spec::KernelSpec &spec, const spec::Workload &workload);

/// Of a floating argument that the amount of work does not depend on: its name and its value.
std::map<std::string, double> scalars_of(const spec::KernelSpec &spec, const spec::Workload &workload);

/// The same with another number in place of each zero: a zero hides what it is multiplied with.
std::map<std::string, double> nonzero_scalars_of(const spec::KernelSpec &spec,
                                                 const spec::Workload &workload);

/// Shapes that steps and primes do not have, in addition to neighbours_of: each size alone small ("cols=13"),
/// all sizes the same ("square") or one below a power of two, and distances between rows that the workload
/// computes from a size (`pitch = cols + 32`) alone larger ("pitch=259"). And scalars that are one, a share
/// of the largest size, zero alone, related to each other ("scalars-opposite"), small ("scalars-2^-24"), or
/// NaN ("scalars-alpha=nan").
std::vector<Neighbour> special_shapes_of(const spec::KernelSpec &spec, const spec::Workload &workload,
                                         std::uint64_t seed);

/// Whether each name is increased and decreased by one separately, or all names together. Large workloads
/// have fewer neighbours of their size.
enum class Steps { single, together };

/// `all_classes`: floating scalars are also zero, of the other sign, and large.
enum class Scalars { other_values, all_classes };

/// The neighbours, those most likely to expose an error first, so that a caller may take only the first few.
std::vector<Neighbour> neighbours_of(const spec::KernelSpec &spec, const spec::Workload &workload,
                                     Steps steps, Scalars scalars, std::uint64_t seed);

}  // namespace cupilot::judge::cases
