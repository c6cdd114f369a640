// SPDX-License-Identifier: Apache-2.0
//
// The features of a kernel, used to rank strategies: a set of words derived from the extractor's facts about
// the code and from the signature. Features do not exclude a strategy; whether it applies is decided by the
// role that translates it.

#pragma once

#include <set>
#include <string>

#include "annotate/spec/kernel_spec.h"

namespace cupilot::strategy {

/// The words, by what they describe:
/// Means:   "loop", "shared-memory", "barrier", "shuffle", "atomic", "division" (by a value, not a literal),
///          "transcendental" (exp, log, pow, sin, tanh, erf, ...).
/// Data:    "narrow-elements" (under 16 bytes), "half" (16-bit floating), "float", "double", "integer",
///          "narrow-integers" (8 and 16 bits), "mixed-double" (double names or literals, but no double
///          array).
/// Shape:   "one-dimensional" (only the x of thread and block indices), "two-dimensional", "row-wise" (each
///          row is reduced or scanned by itself), "column-wise" (the same along a dimension that is not
///          contiguous), "strided" (neighbouring threads of x are more than one element apart in some array).
/// Pattern: "elementwise", "reduction" (a sum, maximum, ... over a loop or warp), "arg-reduction" (and its
///          index), "scan", "softmax", "normalisation", "matmul" (sums of products of two arrays with
///          different indices), "triangular" (one whose indices are compared), "dot-product" (other sums of
///          products), "stencil" (one array before and after an index), "window" (an outer index plus an
///          inner one), "gather" (indices that are loaded), "sparse" (loop bounds that are loaded).
/// For a spec without facts only the words about data are given.
std::set<std::string> kernel_features(const spec::KernelSpec &spec);

}  // namespace cupilot::strategy
