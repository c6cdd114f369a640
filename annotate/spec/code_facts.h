// SPDX-License-Identifier: Apache-2.0
//
// What the code of a kernel does, together with the functions of its unit that it calls: plain data, read off
// Clang's tree by annotate/extract/code_facts.h. The features and the pattern of a kernel follow from it.
// JSON form: what holds, by the names below (spec_fields.h).

#pragma once

namespace cupilot {

struct CodeFacts {
  bool known = false;  ///< false: the spec was written before there were facts; nothing below says anything

  bool has_loop = false, has_barrier = false, has_shared_memory = false, has_atomic = false;
  bool has_shuffle = false;         ///< any exchange between the lanes of a warp
  bool shuffles_up = false;         ///< the exchange that scans are made of
  bool folds_lanes = false;         ///< the exchanges that reductions are made of
  bool calls_reduction = false;     ///< of a library, as cub::BlockReduce is
  bool has_matrix_unit = false;     ///< wmma, mma and wgmma instructions, __dp4a
  bool is_two_dimensional = false;  ///< uses the y of a thread or block index
  bool computes_in_double = false;  ///< an operation, a variable or a conversion
  bool has_transcendental = false, has_exponential = false, has_root = false;

  bool sums = false;               ///< adds up over a loop
  bool folds = false;              ///< takes a maximum or minimum over a loop
  bool keeps_place = false;        ///< and the loop's index with it
  bool scans = false;              ///< stores what it adds up or folds at every step
  bool multiplies = false;         ///< sums products of two arrays
  bool multiplies_rows = false;    ///< at different indices, each with a factor: a matrix product
  bool compares_indices = false;   ///< `row > col`
  bool divides = false;            ///< by what is not a constant
  bool gathers = false;            ///< at indices that are loaded
  bool has_loaded_bounds = false;  ///< loops from and to what is loaded
  bool has_rows = false;           ///< at `row * n + column`
  bool is_strided = false;         ///< lanes more than one element apart
  bool has_strided_loop = false;   ///< a loop walks an array in steps of more than one element
  bool has_window = false;         ///< at `i + k` of two loops
  bool is_stencil = false;         ///< before and behind one index
  bool stores = false;             ///< to an array
  bool named_convolution = false;  ///< a name says so: "conv2d", "filter", "padding"
  bool named_loss = false;         ///< a name says so: "loss", "entropy", "label", "target"

  int products = 0;       ///< statements in loops that sum products of two different things
  int product_depth = 0;  ///< the most loops around such a one that sums into a plain variable
};

}  // namespace cupilot
