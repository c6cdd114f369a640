// SPDX-License-Identifier: Apache-2.0
//
// Facts about what the code of a kernel does, including the functions of its translation unit that it calls.
// This is plain data; annotate/extract/code_facts.h reads it off Clang's AST. The features and the pattern of
// a kernel are derived from it. The JSON form lists the facts that hold, by the names below (spec_fields.h).

#pragma once

namespace cupilot::spec {

struct CodeFacts {
  /// False: the spec is older than these facts, or the code cannot be parsed. All members below are unset.
  bool known = false;

  bool has_loop = false, has_barrier = false, has_shared_memory = false, has_atomic = false;
  bool has_shuffle = false;         ///< any exchange between the lanes of a warp
  bool shuffles_up = false;         ///< shfl_up, which scans are made of
  bool folds_lanes = false;         ///< shfl_down, shfl_xor or __reduce_*, which reductions are made of
  bool calls_reduction = false;     ///< calls a reduction of a library, such as cub::BlockReduce
  bool has_matrix_unit = false;     ///< wmma, mma and wgmma instructions, __dp4a
  bool is_two_dimensional = false;  ///< uses the y of a thread or block index
  bool computes_in_double = false;  ///< has an operation, a variable or a conversion in double
  bool has_transcendental = false, has_exponential = false, has_root = false;

  bool sums = false;              ///< accumulates a sum over a loop
  bool folds = false;             ///< takes a maximum or minimum over a loop
  bool keeps_place = false;       ///< stores the loop index of the maximum or minimum (argmax, argmin)
  bool scans = false;             ///< stores the running sum, maximum or minimum at every step
  bool multiplies = false;        ///< sums products of elements of two arrays
  bool multiplies_rows = false;   ///< sums them at different indices with a product in each: a matrix product
  bool compares_indices = false;  ///< compares indices, such as `row > col`
  bool divides = false;           ///< divides by something that is not a constant
  bool gathers = false;           ///< accesses arrays at indices that are loaded from memory
  bool has_loaded_bounds = false;  ///< a bound of a loop is loaded from memory
  bool has_rows = false;           ///< accesses arrays at `row * n + column`
  bool is_strided = false;         ///< neighbouring lanes access elements more than one element apart
  bool has_strided_loop = false;   ///< a loop walks an array in steps of more than one element
  bool has_window = false;         ///< accesses arrays at `i + k`, where both advance by one
  bool is_stencil = false;         ///< accesses elements before and after one index
  bool stores = false;             ///< stores to an array
  bool named_convolution = false;  ///< a name suggests a convolution: "conv2d", "filter", "padding"
  bool named_loss = false;         ///< a name suggests a loss function: "loss", "entropy", "label", "target"

  int products = 0;       ///< number of statements in loops that sum products of two different factors
  int product_depth = 0;  ///< deepest loop nest around such a statement that sums into a scalar variable
};

}  // namespace cupilot::spec
