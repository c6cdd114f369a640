// SPDX-License-Identifier: Apache-2.0
//
// What a kernel's statements do to its data, as far as their words tell: what features are made of. Good
// guesses about usual code; unusual spelling is missed, nothing is promised.

#pragma once

#include <vector>

#include "annotate/spec/kernel_spec.h"
#include "evolution/strategy/code_statements.h"

namespace cupilot {

struct SourceFacts {
  bool sums = false;               ///< adds up over a loop
  bool folds = false;              ///< takes a maximum or minimum over a loop
  bool keeps_place = false;        ///< and the loop's index with it
  bool scans = false;              ///< stores what it adds up or folds at every step
  bool multiplies = false;         ///< sums products of two arrays
  bool multiplies_rows = false;    ///< at different indices, each with a factor: a matrix product
  bool compares_indices = false;   ///< `row > col`
  bool divides = false;            ///< by what is not a number
  bool gathers = false;            ///< at indices that are loaded
  bool has_loaded_bounds = false;  ///< loops from and to what is loaded
  bool has_rows = false;           ///< at `row * n + column`
  bool is_strided = false;         ///< lanes more than one element apart
  bool has_strided_loop = false;   ///< a loop walks an array in steps of more than one element
  bool has_window = false;         ///< at `i + k` of two loops
  bool is_stencil = false;         ///< before and behind one index
  bool stores = false;             ///< to an array
};

SourceFacts facts_of(const KernelSpec &spec, const std::vector<CodeStatement> &statements);

}  // namespace cupilot
