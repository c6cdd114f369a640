// SPDX-License-Identifier: Apache-2.0
//
// What a kernel looks like, for choosing strategies: a few words made of the extractor's facts about its code
// and of its signature. They rank and never decide: whether a strategy applies is found out by whoever
// translates it.

#pragma once

#include <set>
#include <string>

#include "annotate/spec/kernel_spec.h"

namespace cupilot {

/// Means:   "loop", "shared-memory", "barrier", "shuffle", "atomic", "division" (by what is not a number),
///          "transcendental" (exp, log, pow, sin, tanh, erf, ...).
/// Data:    "narrow-elements" (under 16 bytes), "half" (16-bit floating), "float", "double", "integer",
///          "narrow-integers" (8 and 16 bits), "mixed-double" (double words or numbers, but no double array).
/// Shape:   "one-dimensional" (only the x of thread and block indices) or "two-dimensional", "row-wise" (each
///          row is reduced or scanned by itself), "column-wise" (the same along a dimension that is not
///          contiguous), "strided" (neighbouring threads of x are more than one element apart in some array).
/// Pattern: "elementwise", "reduction" (a sum, maximum, ... over a loop or warp), "arg-reduction" (and its
///          index), "scan", "softmax", "normalisation", "matmul" (sums of products of two arrays with
///          different indices), "triangular" (one whose indices are compared), "dot-product" (other sums of
///          products), "stencil" (one array before and behind an index), "window" (an outer index plus an
///          inner one), "gather" (indices that are loaded), "sparse" (loop bounds that are loaded).
/// Of a spec without facts only the words about data are known.
std::set<std::string> kernel_features(const KernelSpec &spec);

}  // namespace cupilot
